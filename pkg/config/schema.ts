import { z } from 'zod';
import { ORGANIZATION_ROLES } from '../identity/signon/roles.js';
import { auth, authProblems } from './auth.js';
import { optional, setting } from './setting.js';
import {
  duration,
  flag,
  groupRoles,
  names,
  networks,
  port,
  ratio,
  size,
  text,
  webUrl,
  whole,
  workers,
} from './values.js';

/** An unset variable in a script gives an empty address, which would listen on all interfaces. */
const address = () =>
  text().regex(/^\S+$/, 'expected an address, such as 127.0.0.1, or 0.0.0.0 or :: for all interfaces');

const server = z.strictObject({
  http_addr: setting(
    address(),
    '127.0.0.1',
    'Address on which HTTP listens. HTTP is not encrypted and exposes passwords.',
  ),
  http_port: setting(port(), '3000', 'Port of HTTP. 0 selects a free port, -1 disables HTTP.'),
  https_addr: setting(address(), '127.0.0.1', 'Address on which HTTPS (HTTP/2 and HTTP/1.1) listens.'),
  https_port: setting(port(), '6443', 'Port of HTTPS. 0 selects a free port, -1 disables HTTPS.'),
  workers: setting(
    workers(),
    '1',
    'Number of processes that serve requests behind the same ports; auto takes one for each processor. They share the files of the objects. The settings limits.* hold for each of them.',
  ),
  cert_names: setting(
    names(),
    'localhost',
    'Host names and IP addresses in the generated server certificate, separated by commas.',
  ),
  cert_file: optional(
    'PEM file with the server certificate and its chain. If it is replaced, the server uses the new one within seconds.',
    'a generated certificate',
  ),
  key_file: optional('PEM file with the private key of server.cert_file.', 'a generated key'),
  root_url: optional(
    'URL at which people reach this server.',
    'made from the settings above',
    webUrl('https://dashboards.example.com'),
  ),
  shutdown_delay: setting(
    duration(0),
    '0s',
    'How long the server goes on after SIGTERM. /readyz fails meanwhile, so that load balancers stop sending requests before the ports are closed. Use more than a load balancer takes to notice.',
  ),
  trusted_proxies: setting(
    networks(),
    '',
    'Addresses and networks (10.0.0.0/8) of reverse proxies, separated by commas. Their X-Forwarded-For and X-Forwarded-Proto headers count, and those of all others are ignored.',
  ),
});

const paths = z.strictObject({
  data: setting(
    text().min(1, 'expected a folder'),
    './data',
    'Folder of the embedded store, the certificates and the kubeconfig.',
  ),
});

const storage = z.strictObject({
  backend: setting(z.enum(['embedded', 'mongodb']), 'embedded', 'Store of the objects: embedded or mongodb.'),
  mongodb_uri: optional('Connection string of the MongoDB replica set. Required for the backend mongodb.', 'none'),
  mongodb_database: optional(
    'Name of the MongoDB database.',
    'the one in the path of storage.mongodb_uri, or apiserver',
    text().regex(/^[^\s/\\."$]{1,38}$/, 'expected a database name'),
  ),
  history: setting(duration(75_000), '5m', 'How long changes are kept so that watches can resume. At least 75s.'),
  history_bytes: setting(
    size(16 * 2 ** 20, 2 ** 44),
    '1 GiB',
    'Maximum size of the changes that are kept. If there are more within storage.history, the oldest are removed earlier.',
  ),
  reserve: setting(
    size(0, 2 ** 44),
    '1 GiB',
    'Free space on the disk of the store that is kept for deletions and administrators of the server. Below it, other writes are answered 507, and below half of it all but deletions. On a small disk it is a tenth of the disk, and at least 64 MiB. 0 turns it off.',
  ),
  recent_bytes: setting(
    size(2 ** 20, 2 ** 40),
    '64 MiB',
    'Maximum memory for recent changes, and for earlier states that clients page through. Older changes, as far as storage.history keeps them, are read from the store.',
  ),
});

const DOMAIN = /^(?=.{3,120}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

const api = z.strictObject({
  domain: setting(
    text().regex(DOMAIN, 'expected a DNS name in lower case with a dot, such as svc.app'),
    'svc.app',
    'Suffix of the API groups and label keys. It is stored with the data and cannot be changed later.',
  ),
});

/** A copy of the database can be attacked offline, so a short key is not safe. */
export const MIN_KEY = 16;

/** Whether a text is a certificate or a key for TLS, in whose file somebody may have looked for the secret key. */
export const isPem = (text: string): boolean => /-----BEGIN [A-Z0-9 ]+-----/.test(text);

const security = z.strictObject({
  admin_user: setting(
    text().regex(/^[^\s:]{1,190}$/, 'expected a name without spaces'),
    'admin',
    'Login of the administrator.',
  ),
  admin_password: optional(
    'Password of the administrator at the first start. Use adminctl reset-password to change it later.',
    '"admin" if the server listens on loopback addresses only, otherwise a random password, printed once',
  ),
  admin_email: setting(text(), 'admin@localhost', 'E-mail address of the administrator.'),
  min_password_length: setting(
    whole(4, 128),
    '4',
    'Minimum number of characters of new passwords. Those that people choose in the console and at the first sign-in have at least 12.',
  ),
  refuse_common_passwords: setting(
    flag(),
    'true',
    'Refuses new passwords that are among the 10,000 most common ones, or the login or e-mail address of the user.',
  ),
  max_organization_accounts: setting(
    whole(0, 1_000_000),
    '1000',
    'Most accounts that the administrators of one organization may create. With 0, only administrators of the server create accounts.',
  ),
  max_token_lifetime: duration(600_000).optional().meta({
    description:
      'Maximum lifetime of new tokens of service accounts. Longer ones are refused, but those of kubectl create token are shortened. Tokens without a lifetime get this one. At least 10m.',
    otherwise: 'tokens need not expire',
  }),
  secret_key: text()
    .min(MIN_KEY, `expected at least ${MIN_KEY} characters`)
    .refine((key) => !isPem(key), 'expected a key, and not PEM, such as a certificate or a private key')
    .optional()
    .meta({
      description: 'Key that encrypts secrets in the database. It must be the same on all servers of a database.',
      otherwise: 'generated at the first start',
    }),
});

const features = z.strictObject({
  nested_folders: setting(
    flag(),
    'true',
    'Allows folders in folders. While it is off, all folders are in one list, and stored parents are kept but not shown.',
  ),
  alerting: setting(
    flag(),
    'true',
    'Serves alert rules. While it is off, their routes are not there, and stored rules are kept until their folder is deleted.',
  ),
  query_history: setting(
    flag(),
    'true',
    'Serves the query history of users. While it is off, its routes are not there, and what is stored is kept.',
  ),
  max_folder_depth: setting(whole(1, 32), '4', 'Maximum depth of nested folders.'),
});

/** The page for people (`pkg/console`). */
const webConsole = z.strictObject({
  enabled: setting(
    flag(),
    'true',
    'Serves the console at /console, a page for people, to which browsers are led from /. While it is off, they are led to the documentation.',
  ),
});

const queryHistory = z.strictObject({
  retention: setting(duration(60_000), '14d', 'How long items of the query history are kept that have no star.'),
});

const webhooks = z.strictObject({
  conversion_age: setting(
    duration(0),
    '0s',
    'How old an answer of a conversion webhook may be when it is used for another read or write of one object that has the same content. With 0s, the webhook is asked at each request, as in Kubernetes, so that a webhook that was replaced, or is down, has its effect at once. Lists and watches always ask it.',
  ),
  networks: setting(
    networks(),
    '',
    'Internal addresses and networks (10.0.0.0/8) that conversion webhooks and mirrors may have, separated by commas. Addresses on the internet need not be listed, except for mirrors with http://. All others, such as those of this machine, are refused, because who defines a kind could reach with them what only this server can reach.',
  ),
});

const scim = z.strictObject({
  manual_changes: setting(
    z.enum(['allow', 'warn', 'refuse']),
    'warn',
    'What happens if somebody changes by hand what SCIM keeps: allow, warn or refuse.',
  ),
  default_role: setting(
    z.enum(ORGANIZATION_ROLES),
    'Viewer',
    'Role in the organization of people whom SCIM makes members: None, Viewer, Editor or Admin.',
  ),
  group_roles: setting(
    groupRoles(),
    '',
    'Roles of the members of groups that SCIM keeps, as group:role, separated by commas (platform:Admin). The highest counts. With it, SCIM decides about the roles of all whom it keeps.',
  ),
});

const legacy = z.strictObject({
  compatibility: setting(
    z.enum(['specification', 'clients']),
    'specification',
    'Answers of the legacy API where its specification and existing clients contradict each other: specification or clients. With clients, changes of preferences are answered as application/json instead of text/plain, and the search for a team name that no team has is answered with an empty list instead of 404. The condition of an alert rule need not be one of its queries then, in both APIs.',
  ),
});

const history = z.strictObject({
  versions: setting(
    whole(0, 1000),
    '20',
    'Maximum number of earlier versions that are kept of an object. 0 keeps none.',
  ),
  trash: setting(duration(0), '30d', 'How long deleted objects can come back. 0s: they cannot, there is no trash.'),
  max_trash_objects: setting(
    whole(1, 100_000),
    '10000',
    'Maximum number of objects that are deleted together and can come back. A larger deletion is not kept, and its answer has a warning.',
  ),
  max_trash_size: setting(size(1024, 2 ** 30), '32 MiB', 'The same for the size of these objects in JSON.'),
});

const references = z.strictObject({
  missing: setting(
    z.enum(['wait', 'refuse']),
    'wait',
    'What the resource API does with an object that names an object which does not exist, such as its folder: wait stores it, and it takes effect when the other one is created; refuse answers 422. Only callers who may write everywhere in the organization can let objects wait.',
  ),
});

const limits = z.strictObject({
  max_in_flight: setting(
    whole(1, 100_000),
    '400',
    'Maximum number of concurrent reads, without watches. One user gets at most half of them. Further reads wait.',
  ),
  max_mutating_in_flight: setting(
    whole(1, 100_000),
    '200',
    'Maximum number of concurrent writes. One user gets at most half of them. Further writes wait.',
  ),
  max_watches: setting(
    whole(1, 1_000_000),
    '20000',
    'Maximum number of concurrent watches. One user gets at most half of them. Further watches are answered 429.',
  ),
  max_queued: setting(
    whole(1, 100_000),
    '200',
    'Maximum number of waiting reads, and of waiting writes. One user gets at most half of them. Further requests, and those that have waited for a quarter of limits.request_timeout, are answered 429.',
  ),
  max_connections: setting(
    whole(2, 1_000_000),
    '10000',
    'Maximum number of connections. One address (IPv6: one /64) gets at most half of them. Those of server.trusted_proxies only count. If there is no room, connections without credentials make room.',
  ),
  anonymous_idle: setting(
    duration(1_000),
    '10s',
    'How long a connection may rest on which no request has had valid credentials. It includes the TLS handshake and the headers of the first request. Other connections may rest 75s (HTTP/1.1) or 10m (HTTP/2).',
  ),
  write_rate: setting(
    size(1024, 2 ** 40),
    '8 MiB',
    'How many bytes a user may write to the store in a second, over a longer time. A change counts with the new object twice and with the object that it replaces. More is answered 429. Administrators of the server have no such limit.',
  ),
  write_burst: setting(
    size(1024, 2 ** 44),
    '256 MiB',
    'How many bytes a user may write to the store at once, before limits.write_rate holds.',
  ),
  personal_bytes: setting(
    size(1024, 2 ** 40),
    '64 MiB',
    'Maximum size of all personal objects of a user together, in all organizations: preferences, stars and query history. Each counts with its metadata, in whole KiB. More is answered 403 until some are deleted.',
  ),
  request_timeout: setting(
    duration(1_000),
    '60s',
    'Maximum duration of a request, except watches. Longer requests are answered 504.',
  ),
  body_bytes: setting(
    size(1024, 64 * 2 ** 20),
    '16 MiB',
    'Maximum size of a request body. Larger bodies are answered 413. How many values a body may have follows from it: one for each 15 bytes, and 45,000 at least. An object may take twice as much with its metadata, and about 15 MiB on MongoDB.',
  ),
  apply_bytes: setting(
    size(1024, 64 * 2 ** 20),
    '32 MiB',
    'Maximum size of a request body in JSON that applies many objects at once (the subresource apply of an ApplySet). Larger bodies are answered 413.',
  ),
  yaml_bytes: setting(
    size(1024, 64 * 2 ** 20),
    '3 MiB',
    'Maximum size of a request body in YAML. YAML takes ten times as long as JSON. A thread reads it if it is large, so that other requests do not wait. Larger bodies are answered 413.',
  ),
});

const log = z.strictObject({
  level: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'Minimum level of log lines: trace, debug, info, warn, error, fatal or silent.',
  ),
  format: setting(
    z.enum(['auto', 'json', 'text']),
    'auto',
    'Format of log lines: json, text, or auto, which is text on a terminal and json otherwise.',
  ),
});

const audit = z.strictObject({
  output: setting(z.enum(['file', 'stdout', 'none']), 'file', 'Destination of the audit log: file, stdout or none.'),
  file: optional('File of the audit log.', 'audit/audit.log in the folder paths.data'),
  max_size: setting(size(2 ** 20, 2 ** 34), '100 MiB', 'Size at which the file is rotated.'),
  max_files: setting(whole(1, 10_000), '10', 'Number of rotated files that are kept.'),
  policy_file: optional(
    "File with the audit policy in Kubernetes' form (audit.k8s.io/v1, kind Policy).",
    'every write, every sign-in and every refusal, without bodies',
  ),
});

const tracing = z.strictObject({
  endpoint: optional(
    'URL to which traces are sent by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces. OTEL_EXPORTER_OTLP_HEADERS has its credentials.',
    'no traces',
    webUrl('http://127.0.0.1:4318/v1/traces'),
  ),
  sample_ratio: setting(ratio(), '0.1', 'Share of the requests that are traced, from 0 to 1.'),
});

/** All settings. The type, the checks, the defaults and the help text are made from this schema. */
export const Settings = z.strictObject({
  server: server.prefault({}),
  paths: paths.prefault({}),
  storage: storage.prefault({}),
  api: api.prefault({}),
  security: security.prefault({}),
  features: features.prefault({}),
  console: webConsole.prefault({}),
  query_history: queryHistory.prefault({}),
  webhooks: webhooks.prefault({}),
  scim: scim.prefault({}),
  legacy: legacy.prefault({}),
  history: history.prefault({}),
  references: references.prefault({}),
  limits: limits.prefault({}),
  auth: auth.prefault({}),
  log: log.prefault({}),
  audit: audit.prefault({}),
  tracing: tracing.prefault({}),
});
export type Settings = z.infer<typeof Settings>;

/** Problems that involve more than one setting. */
export function crossCheck(settings: Settings): readonly string[] {
  const { server: at, storage: store } = settings;
  const problems: string[] = [];
  if ((at.cert_file === undefined) !== (at.key_file === undefined)) {
    problems.push('server.cert_file and server.key_file go together: set both or neither.');
  }
  if (at.http_port === -1 && at.https_port === -1) {
    problems.push('server.http_port and server.https_port are both -1, so the server would not listen at all.');
  }
  if (store.backend === 'mongodb' && store.mongodb_uri === undefined) {
    problems.push('storage.backend is mongodb, so storage.mongodb_uri is needed.');
  }
  problems.push(...authProblems(settings.auth));
  return problems;
}

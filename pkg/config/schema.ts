import { z } from 'zod';
import { duration, flag, names, port, size, text, whole } from './values.js';

/** A setting with what people read about it. `fallback` is written as a person would write it. */
function setting<S extends z.ZodType<unknown, string>>(schema: S, fallback: z.input<S>, description: string) {
  return schema.prefault(fallback).meta({ description, fallback });
}

/** A setting that may stay unset. `otherwise` says what happens then. */
function optional(description: string, otherwise: string) {
  return text().min(1, 'expected a value').optional().meta({ description, otherwise });
}

const server = z.strictObject({
  http_addr: setting(text(), '127.0.0.1', 'Address of the plain HTTP port. Plain HTTP carries passwords in the clear.'),
  http_port: setting(port(), '3000', 'Port of plain HTTP: 0 takes any free one, -1 turns it off.'),
  https_addr: setting(text(), '127.0.0.1', 'Address of the HTTPS port (HTTP/2 and HTTP/1.1).'),
  https_port: setting(port(), '6443', 'Port of HTTPS: 0 takes any free one, -1 turns it off.'),
  cert_names: setting(names(), 'localhost', 'Names and addresses the server certificate is made for, with commas.'),
  cert_file: optional('Own server certificate with its chain, as PEM.', 'made by the server itself'),
  key_file: optional('Private key of server.cert_file, as PEM.', 'made by the server itself'),
  root_url: optional('The address people reach this server at.', 'made from the settings above'),
});

const paths = z.strictObject({
  data: setting(text().min(1, 'expected a folder'), './data', 'Folder of the store, the certificates and kubeconfig.'),
});

const storage = z.strictObject({
  backend: setting(z.enum(['embedded', 'mongodb']), 'embedded', 'Where objects are kept: embedded or mongodb.'),
  mongodb_uri: optional('Connection string of the MongoDB replica set.', 'none'),
  mongodb_database: setting(
    text().regex(/^[^\s/\\."$]{1,38}$/, 'expected a database name'),
    'apiserver',
    'Its database.',
  ),
  history: setting(duration(75_000), '5m', 'How long changes are kept, so that watches can resume. At least 75s.'),
});

const DOMAIN = /^(?=.{3,120}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

const api = z.strictObject({
  domain: setting(
    text().regex(DOMAIN, 'expected a DNS name in lower case with a dot, such as svc.app'),
    'svc.app',
    'Ending of every API group and label key. Recorded with the data: it cannot be changed later.',
  ),
});

/** Whoever reads the database can try keys as fast as their machines go: a word is none. */
const SHORTEST_KEY = 16;

const security = z.strictObject({
  admin_user: setting(
    text().regex(/^[^\s:]{1,190}$/, 'expected a name without blanks'),
    'admin',
    "The administrator's login.",
  ),
  admin_password: optional(
    "The administrator's password at the first start; later, adminctl reset-password gives another.",
    '"admin" while every address is loopback, else a random one printed once',
  ),
  admin_email: setting(text(), 'admin@localhost', "The administrator's e-mail address."),
  secret_key: text().min(SHORTEST_KEY, `expected at least ${SHORTEST_KEY} characters`).optional().meta({
    description: 'Key that secrets in the database are encrypted with; the same for all servers of a database.',
    otherwise: 'made at first start',
  }),
});

const features = z.strictObject({
  nested_folders: setting(flag(), 'true', 'Folders within folders.'),
  alerting: setting(flag(), 'true', 'Alert rules.'),
  query_history: setting(flag(), 'true', 'Query history.'),
  max_folder_depth: setting(whole(1, 32), '4', 'How many folders may lie within each other.'),
});

const limits = z.strictObject({
  max_in_flight: setting(
    whole(1, 100_000),
    '400',
    'Reads served at once; more are answered 429. Watches do not count.',
  ),
  max_mutating_in_flight: setting(whole(1, 100_000), '200', 'Writes served at once; more are answered 429.'),
  max_watches: setting(whole(1, 1_000_000), '20000', 'Watches served at once; more are answered 429.'),
  request_timeout: setting(duration(1_000), '60s', 'After this a request is answered 504. Watches are exempt.'),
  body_bytes: setting(size(1024, 64 * 2 ** 20), '3 MiB', 'Largest request body; a larger one is answered 413.'),
});

/** Sign-on providers. Their keys are checked by the sign-on settings, which know them. */
export const AUTH_PROVIDERS = [
  'azuread',
  'generic_oauth',
  'github',
  'gitlab',
  'google',
  'ldap',
  'okta',
  'saml',
] as const;
export type AuthProvider = (typeof AUTH_PROVIDERS)[number];

const provider = z.record(z.string(), z.string()).prefault({});
const providers = Object.fromEntries(AUTH_PROVIDERS.map((name) => [name, provider])) as Record<
  AuthProvider,
  typeof provider
>;

const session = z.strictObject({
  max_inactive: setting(duration(60_000), '7d', 'A login session that is not used for so long is over.'),
  max_lifetime: setting(duration(60_000), '30d', 'A login session is over after this, however much it is used.'),
  rotate_after: setting(duration(60_000), '10m', 'How often the secret in the session cookie changes.'),
});

const jwt = z.strictObject({
  issuer: optional('Issuer (`iss`) of the JSON Web Tokens that are accepted as bearer tokens.', 'none are'),
  audience: optional('What such tokens must be for (`aud`).', 'none; needed with auth.jwt.issuer'),
  jwks_url: optional(
    "Address of the issuer's JSON Web Key Set, HTTPS unless it is on this machine.",
    'auth.jwt.jwks_file',
  ),
  jwks_file: optional("File with the issuer's JSON Web Key Set; read again when it changes.", 'auth.jwt.jwks_url'),
  clock_skew: setting(duration(0), '30s', "How far the issuer's clock may differ from ours."),
  login_claim: setting(text().min(1, 'expected a claim'), 'sub', 'The claim that is the login of a user.'),
  email_claim: optional('The claim that is the e-mail address of a user, for tokens whose login is no user.', 'none'),
});

const auth = z.strictObject({
  session: session.prefault({}),
  jwt: jwt.prefault({}),
  anonymous: z
    .strictObject({ enabled: setting(flag(), 'false', 'Lets callers without credentials in as system:anonymous.') })
    .prefault({}),
  ...providers,
});

const log = z.strictObject({
  level: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'Least level that is logged: trace, debug, info, warn, error, fatal or silent.',
  ),
  format: setting(z.enum(['auto', 'json', 'text']), 'auto', 'json, text, or auto: text on a terminal, else json.'),
});

/** Every setting there is: the type, the check, the defaults and the help are all made from this. */
export const Settings = z.strictObject({
  server: server.prefault({}),
  paths: paths.prefault({}),
  storage: storage.prefault({}),
  api: api.prefault({}),
  security: security.prefault({}),
  features: features.prefault({}),
  limits: limits.prefault({}),
  auth: auth.prefault({}),
  log: log.prefault({}),
});
export type Settings = z.infer<typeof Settings>;

function jwtProblems({ issuer, audience, jwks_url: url, jwks_file: file }: Settings['auth']['jwt']): readonly string[] {
  const problems: string[] = [];
  if (issuer === undefined) {
    if ((audience ?? url ?? file) !== undefined) problems.push('auth.jwt.* is set, so auth.jwt.issuer is needed.');
    return problems;
  }
  if (audience === undefined) {
    problems.push(
      "auth.jwt.issuer is set, so auth.jwt.audience is needed: else any application's tokens would count here.",
    );
  }
  if ((url === undefined) === (file === undefined)) {
    problems.push(
      'auth.jwt.issuer is set, so one of auth.jwt.jwks_url and auth.jwt.jwks_file is needed, and not both.',
    );
  }
  if (url !== undefined && !isSafeKeyUrl(url)) {
    problems.push('auth.jwt.jwks_url must be an https:// address, or an http:// address on this machine.');
  }
  return problems;
}

/** Keys fetched in the clear could be anybody's. */
function isSafeKeyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

/** What depends on more than one setting, as sentences. */
export function crossCheck(settings: Settings): readonly string[] {
  const { server: at, storage: store } = settings;
  const problems: string[] = [];
  if ((at.cert_file === undefined) !== (at.key_file === undefined)) {
    problems.push('server.cert_file and server.key_file go together: give both, or neither.');
  }
  if (at.http_port === -1 && at.https_port === -1) {
    problems.push('server.http_port and server.https_port are both -1: the server would listen nowhere.');
  }
  if (store.backend === 'mongodb' && store.mongodb_uri === undefined) {
    problems.push('storage.backend is mongodb, so storage.mongodb_uri is needed.');
  }
  problems.push(...jwtProblems(settings.auth.jwt));
  return problems;
}

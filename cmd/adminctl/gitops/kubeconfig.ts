import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { parseYaml } from '../../../pkg/kube/json/yaml.js';
import { messageOf } from '../../../pkg/system/errors/message.js';

const listOf = <T extends z.ZodType>(element: T) => z.array(element).nullish();
const text = z.string().min(1).optional();

const Cluster = z.object({
  server: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': text,
});
const User = z.object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  username: text,
  password: z.string().optional(),
  exec: z.unknown().optional(),
  'auth-provider': z.unknown().optional(),
});
const Context = z.object({ cluster: z.string(), user: z.string().optional(), namespace: text });
const Kubeconfig = z.object(
  {
    'current-context': z.string().nullish(),
    clusters: listOf(z.object({ name: z.string(), cluster: Cluster })),
    contexts: listOf(z.object({ name: z.string(), context: Context })),
    users: listOf(z.object({ name: z.string(), user: User.nullish() })),
  },
  'must be an object with clusters, contexts and users',
);
type Kubeconfig = z.infer<typeof Kubeconfig>;

/** A server, and how to talk to it. */
export interface Target {
  readonly url: string;
  readonly tls: {
    readonly ca?: Buffer;
    readonly cert?: Buffer;
    readonly key?: Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  readonly authorization?: string;
  /** The namespace of the context. */
  readonly namespace?: string;
}

export interface KubeconfigOptions {
  readonly path?: string | undefined;
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file of `$KUBECONFIG`, and its folder, to which its paths are relative. */
interface Part {
  readonly folder: string;
  readonly config: Kubeconfig;
}

/**
 * Reads the target of a context. It does not use the client library of Kubernetes, which brings fifty packages for
 * watches and cloud providers. This needs only the part of a kubeconfig that this server writes. Throws errors for
 * people.
 */
export function targetOf(options: KubeconfigOptions): Target {
  const files = filesOf(options);
  const parts = files.flatMap(readPart);
  if (parts.length === 0)
    throw new Error(
      `There is no kubeconfig ${files.join(' or ')}. Name one that exists with --kubeconfig or KUBECONFIG.`,
    );
  const name = options.context ?? parts.map(({ config }) => config['current-context']).find(Boolean);
  if (!name) throw new Error('The kubeconfig has no current context. Name one with --context.');
  const { context } = found(parts, 'contexts', name).entry;
  const cluster = found(parts, 'clusters', context.cluster);
  const user = context.user ? found(parts, 'users', context.user) : undefined;
  const server = serverOf(cluster.entry.cluster, cluster.folder);
  const credentials = user?.entry.user ? credentialsOf(user.entry.user, user.folder) : {};
  return {
    url: server.url,
    tls: { ...server.tls, ...credentials.tls },
    ...(credentials.authorization && { authorization: credentials.authorization }),
    ...(context.namespace && { namespace: context.namespace }),
  };
}

function filesOf({ path, env }: KubeconfigOptions): readonly string[] {
  if (path !== undefined) return [path];
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean);
  return named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
}

/** As with kubectl, files that do not exist count as empty. */
function readPart(path: string): readonly Part[] {
  const folder = dirname(resolve(path));
  try {
    const { value } = parseYaml(readFileSync(path, 'utf8'), { depth: 100, values: 100_000 });
    return [{ folder, config: Kubeconfig.parse(value) }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const why = issue === undefined ? messageOf(error) : `${issue.path.join('.') || 'its content'}: ${issue.message}`;
    throw new Error(`The kubeconfig ${path} cannot be used: ${why}`, { cause: error });
  }
}

type Section = 'clusters' | 'contexts' | 'users';
type Entry<S extends Section> = NonNullable<Kubeconfig[S]>[number];

/** The first file that has the name wins. */
function found<S extends Section>(
  parts: readonly Part[],
  section: S,
  name: string,
): { entry: Entry<S>; folder: string } {
  for (const { config, folder } of parts) {
    const entries: readonly Entry<S>[] = config[section] ?? [];
    const entry = entries.find((entry) => entry.name === name);
    if (entry !== undefined) return { entry, folder };
  }
  throw new Error(`The kubeconfig has no ${section.slice(0, -1)} ${JSON.stringify(name)}.`);
}

function serverOf(cluster: z.infer<typeof Cluster>, folder: string): Pick<Target, 'url' | 'tls'> {
  const ca = contentOf(cluster['certificate-authority-data'], cluster['certificate-authority'], folder);
  const servername = cluster['tls-server-name'];
  const isUnchecked = cluster['insecure-skip-tls-verify'] === true;
  return {
    url: cluster.server,
    tls: { ...(ca && { ca }), ...(servername && { servername }), ...(isUnchecked && { rejectUnauthorized: false }) },
  };
}

function credentialsOf(user: z.infer<typeof User>, folder: string): Partial<Pick<Target, 'authorization' | 'tls'>> {
  if (user.exec || user['auth-provider']) {
    throw new Error(
      'The kubeconfig gets its credentials from another program, which adminctl does not run. Use a token.',
    );
  }
  const cert = contentOf(user['client-certificate-data'], user['client-certificate'], folder);
  const key = contentOf(user['client-key-data'], user['client-key'], folder);
  const authorization = authorizationOf(user, folder);
  return { tls: { ...(cert && { cert }), ...(key && { key }) }, ...(authorization && { authorization }) };
}

function authorizationOf(user: z.infer<typeof User>, folder: string): string | undefined {
  const token = user.tokenFile ? contentOf(undefined, user.tokenFile, folder)?.toString('utf8').trim() : user.token;
  if (token) return `Bearer ${token}`;
  if (!user.username) return undefined;
  return `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`;
}

function contentOf(data: string | undefined, path: string | undefined, folder: string): Buffer | undefined {
  if (data !== undefined) return Buffer.from(data, 'base64');
  if (path === undefined) return undefined;
  try {
    return readFileSync(resolve(folder, path));
  } catch (cause) {
    throw new Error(`The file ${path}, which the kubeconfig names, cannot be read: ${messageOf(cause)}`, { cause });
  }
}

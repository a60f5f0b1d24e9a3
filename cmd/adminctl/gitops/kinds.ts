import { z } from 'zod';
import type { Connection } from './connection.js';

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The name of a folder. A hostile server must not be able to choose another place. */
const Plural = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);

const Group = z.string().regex(/^[a-z0-9.-]{0,253}$/);

const Resource = z.object({
  resource: Plural,
  responseKind: z.object({ kind: z.string() }),
  scope: z.enum(['Namespaced', 'Cluster']),
  verbs: z.array(z.string()),
});
const Discovery = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: Group.default('') }),
      versions: z.array(z.object({ version: z.string(), resources: z.array(Resource) })),
    }),
  ),
});

export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/**
 * The kinds whose objects can be listed and created, in the preferred version of each group. The server's own come
 * before those of definitions.
 */
export interface ServedKinds {
  readonly kinds: readonly ServedKind[];
  /** The suffix of the server's own groups: `svc.app`. */
  readonly domain: string;
}

export async function servedKinds(connection: Connection): Promise<ServedKinds> {
  const { items } = Discovery.parse(await connection.ask('GET', '/apis', { accept: ACCEPT }));
  const kinds = items.flatMap(({ metadata: { name: group }, versions: [preferred] }) =>
    (preferred?.resources ?? [])
      .filter(({ verbs }) => ['list', 'create'].every((verb) => verbs.includes(verb)))
      .map(({ resource, responseKind, scope }) => ({
        group,
        version: preferred?.version ?? '',
        resource,
        kind: responseKind.kind,
        isNamespaced: scope === 'Namespaced',
      })),
  );
  // A definition may have such a group, too, but comes later in discovery.
  const iam = kinds.find(({ resource, group }) => resource === 'organizations' && group.startsWith('iam.'));
  if (iam === undefined) throw new Error('The server has no kind Organization, so it is no server of this product.');
  return { kinds, domain: iam.group.slice('iam.'.length) };
}

/**
 * Objects that people and programs make while they use the server. They are not configuration, so they are exported
 * only if they are named.
 */
const RECORDS = ['annotations', 'queryhistories', 'stars', 'applysets'];

/**
 * The kinds to export: those that are named, or all in namespaces that are configuration. Throws for a name that no
 * kind has.
 */
export function chosenKinds(served: ServedKinds, named: readonly string[] | undefined): readonly ServedKind[] {
  if (named !== undefined) return named.map((name) => kindNamed(served, name));
  return served.kinds.filter(
    (kind) => kind.isNamespaced && isOwnKind(served, kind) && !RECORDS.includes(kind.resource),
  );
}

/** Whether it is a kind of the server. Nobody can define kinds in its groups. */
function isOwnKind({ domain }: ServedKinds, { group }: ServedKind): boolean {
  return group.endsWith(`.${domain}`);
}

/** A kind of the server, by its plural and the first word of its group: `apply` and `applysets`. */
export function ownKind(served: ServedKinds, word: string, plural: string): ServedKind | undefined {
  return served.kinds.find(({ group, resource }) => resource === plural && group === `${word}.${served.domain}`);
}

/**
 * The name of the folder of a kind in an export: its plural, with its group if a kind of the server, or another kind,
 * has the same plural.
 */
export function folderOf(served: ServedKinds, kind: ServedKind): string {
  const isAlone = served.kinds.filter(({ resource }) => resource === kind.resource).length < 2;
  return isAlone || isOwnKind(served, kind) ? kind.resource : `${kind.resource}.${kind.group}`;
}

/** By its plural, a kind of the server comes before those of definitions. */
function kindNamed(served: ServedKinds, name: string): ServedKind {
  const { kinds } = served;
  const matches = kinds.filter(({ resource, group }) => name === resource || name === `${resource}.${group}`);
  const own = matches.filter((candidate) => isOwnKind(served, candidate));
  const [kind, other] = own.length > 0 ? own : matches;
  if (kind !== undefined && other === undefined) return kind;
  if (kind !== undefined)
    throw new Error(`There are several kinds ${name}. Name one as ${kind.resource}.${kind.group}.`);
  const known = [...new Set(kinds.map(({ resource }) => resource))].toSorted();
  throw new Error(`There is no kind ${JSON.stringify(name)}. The server has ${known.join(', ')}.`);
}

export function pathOf({ group, version, resource, isNamespaced }: ServedKind, namespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return isNamespaced ? `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}` : `${root}/${resource}`;
}

import { forbidden, notFound } from '../pkg/status/errors.js';
import { ApiError } from '../pkg/status/status.js';
import { keyOf } from '../storage/key.js';
import type { Kind } from './kind.js';
import type { Reader } from './reader.js';
import type { Registry } from './registry.js';

const NAMESPACES = { group: '', resource: 'namespaces' } as const;
/** The only namespace if no kind defines namespaces. */
const ONLY = 'default';

/** The kind whose objects are the namespaces. */
export function namespaceKind(kinds: readonly Kind[]): Kind | undefined {
  return kinds.find(({ isNamespace }) => isNamespace === true);
}

/**
 * The revisions at which namespaces had no objects of uncached kinds. A commit cannot search these kinds. If they have not changed since the
 * revision, it can rely on what was found before.
 */
export class EmptyNamespaces {
  readonly #revisions = new Map<string, number>();

  note(namespace: string, revision: number): void {
    if (this.#revisions.size >= MOST_NOTED) this.#revisions.clear();
    this.#revisions.set(namespace, revision);
  }

  revisionOf(namespace: string): number | undefined {
    return this.#revisions.get(namespace);
  }
}

const MOST_NOTED = 100;

/** Notes for the next commit whether a namespace that is going has objects of uncached kinds. */
export async function noteIfEmpty(registry: Registry, kind: Kind, name: string): Promise<void> {
  if (kind.isNamespace !== true) return;
  const { revision } = registry.cacher.state;
  for (const one of registry.kinds) {
    if (one.cached || one.scope !== 'Namespaced') continue;
    const from = keyOf(one.qualified, name, '');
    const range = { from, to: `${from.slice(0, -1)}0`, limit: 1 };
    if ((await registry.uncached.range(one.qualified, range, revision)).length > 0) return;
  }
  registry.empty.note(name, revision);
}

/**
 * Whether an object is a namespace with contents. Such a namespace stays terminating until the collector has emptied it. A commit cannot
 * search uncached kinds. It therefore assumes that they have objects, unless none were found just before, or by the collector.
 */
export function hasContents(
  { kinds, empty }: Pick<Registry, 'kinds' | 'empty'>,
  { isNamespace }: Kind,
  name: string,
  reader: Reader,
  hasUncached = true,
): boolean {
  if (isNamespace !== true) return false;
  const emptyAt = empty.revisionOf(name);
  return kinds.some(({ scope, cached, qualified }) => {
    if (scope !== 'Namespaced') return false;
    if (cached) return reader.count(qualified, name) > 0;
    return hasUncached && (emptyAt === undefined || !reader.isUnchangedSince(emptyAt, qualified, name));
  });
}

/**
 * Whether a namespace exists, at the newest state. It may be terminating: its contents can be read and deleted until it is gone.
 */
export function hasNamespace({ namespaces, reader }: Registry, namespace: string): boolean {
  return namespaces === undefined
    ? namespace === ONLY
    : reader.entry(namespaces.qualified, '', namespace) !== undefined;
}

/** Whether a namespace is being emptied. */
export function isTerminatingNamespace(
  { namespaces }: Pick<Registry, 'namespaces'>,
  namespace: string,
  reader: Reader,
): boolean {
  return (
    namespaces !== undefined && reader.entry(namespaces.qualified, '', namespace)?.attributes.isTerminating === true
  );
}

/** Throws if the namespace of a new object does not exist (404) or is terminating (403). */
export function requireActiveNamespace(
  { namespaces }: Pick<Registry, 'namespaces'>,
  kind: Kind,
  name: string,
  namespace: string,
  reader: Reader,
): void {
  if (kind.scope === 'Cluster' || namespaces === undefined) return;
  const entry = reader.entry(namespaces.qualified, '', namespace);
  if (entry === undefined) throw notFound(NAMESPACES, namespace.slice(0, 300));
  if (entry.attributes.isTerminating === true) throw terminating(kind, name, namespace);
}

function terminating(kind: Kind, name: string, namespace: string): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { code, reason, message, details } = forbidden(kind, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  } as const;
  return new ApiError({ code, reason, message, details: { ...details, causes: [cause] } });
}

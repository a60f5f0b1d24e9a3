import { forbidden, notFound } from '../pkg/status/errors.js';
import { ApiError } from '../pkg/status/status.js';
import type { Kind } from './kind.js';
import type { Reader } from './reader.js';
import type { Registry } from './registry.js';

const NAMESPACES = { group: '', resource: 'namespaces' } as const;
/** The only namespace if no kind defines namespaces. */
const ONLY = 'default';

const known = new WeakMap<readonly Kind[], Kind | undefined>();

/** The kind whose objects are the namespaces. */
export function namespaceKind(kinds: readonly Kind[]): Kind | undefined {
  if (!known.has(kinds)) {
    known.set(
      kinds,
      kinds.find(({ isNamespace }) => isNamespace === true),
    );
  }
  return known.get(kinds);
}

/**
 * Whether an object is a namespace with contents. Such a namespace stays terminating until the collector has emptied it. A commit cannot
 * search uncached kinds. It therefore assumes that they have objects, unless the collector has found none.
 */
export function hasContents(
  { kinds }: Pick<Registry, 'kinds'>,
  { isNamespace }: Kind,
  name: string,
  reader: Reader,
  hasUncached = true,
): boolean {
  if (isNamespace !== true) return false;
  return kinds.some(({ scope, cached, qualified }) => {
    if (scope !== 'Namespaced') return false;
    return cached ? reader.count(qualified, name) > 0 : hasUncached;
  });
}

/** Whether a namespace exists. It may be terminating: its contents can be read and deleted until it is gone. */
export function hasNamespace(kinds: readonly Kind[], reader: Reader, namespace: string): boolean {
  const kind = namespaceKind(kinds);
  if (kind === undefined) return namespace === ONLY;
  return reader.entry(kind.qualified, '', namespace) !== undefined;
}

/** Throws if the namespace of a new object does not exist (404) or is terminating (403). */
export function requireActiveNamespace(
  { kinds }: Pick<Registry, 'kinds'>,
  kind: Kind,
  name: string,
  namespace: string,
  reader: Reader,
): void {
  const namespaces = namespaceKind(kinds);
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

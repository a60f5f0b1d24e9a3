import { forbidden, notFound } from '../pkg/status/errors.js';
import { ApiError } from '../pkg/status/status.js';
import { type Key, keyOf } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import type { Kind } from './kind.js';
import type { Registry } from './registry.js';

const NAMESPACES = { group: '', resource: 'namespaces' } as const;
/** The one namespace where no kind makes any. */
const ONLY = 'default';

/** The kind whose objects are the namespaces. */
export function namespaceKind(kinds: readonly Kind[]): Kind | undefined {
  return kinds.find(({ isNamespace }) => isNamespace === true);
}

interface Counts {
  count(resource: string, namespace: string): number;
}

/** Whether an object is a namespace that holds anything: then it stays, terminating, until the collector has emptied it. */
export function hasContents(
  { kinds }: Pick<Registry, 'kinds'>,
  { isNamespace }: Kind,
  name: string,
  view: Counts,
): boolean {
  if (isNamespace !== true) return false;
  return kinds.some((kind) => kind.scope === 'Namespaced' && view.count(kind.qualified, name) > 0);
}

interface Reads {
  get(key: Key): Entry | undefined;
}

/** Whether a namespace exists, be it on its way out: what is in it can be read and deleted until the end. */
export function hasNamespace(kinds: readonly Kind[], read: (resource: string) => Reads, namespace: string): boolean {
  const kind = namespaceKind(kinds);
  if (kind === undefined) return namespace === ONLY;
  return read(kind.qualified).get(keyOf(kind.qualified, '', namespace)) !== undefined;
}

/** Refuses to create in a namespace that does not exist (404) or is going away (403), as the commit sees it. */
export function checkNamespace(
  { kinds }: Pick<Registry, 'kinds'>,
  kind: Kind,
  name: string,
  namespace: string,
  view: Reads,
): void {
  const namespaces = namespaceKind(kinds);
  if (kind.scope === 'Cluster' || namespaces === undefined) return;
  const entry = view.get(keyOf(namespaces.qualified, '', namespace));
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

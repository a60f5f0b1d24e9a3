import { forbidden, notFound } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Reader } from '../read/reader.js';
import type { Kind } from './kind.js';
import type { Registry } from './registry.js';

const NAMESPACES = { group: '', resource: 'namespaces' } as const;
/** The only namespace if no kind defines namespaces. */
const ONLY = 'default';

/** The kind whose objects are the namespaces. */
export function namespaceKind(kinds: readonly Kind[]): Kind | undefined {
  return kinds.find(({ isNamespace }) => isNamespace === true);
}

/**
 * Whether an object is a namespace with contents. Such a namespace stays terminating until the collector has emptied
 * it.
 */
export function hasContents(
  { kinds }: Pick<Registry, 'kinds'>,
  { isNamespace }: Kind,
  name: string,
  reader: Reader,
): boolean {
  if (isNamespace !== true) return false;
  return kinds.some(({ scope, qualified }) => scope === 'Namespaced' && reader.count(qualified, name) > 0);
}

/**
 * Whether a namespace exists, at the newest state. It may be terminating: its contents can be read and deleted until it
 * is gone.
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
  const detail = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { code, reason, message, details } = forbidden(kind, name, detail);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  } as const;
  return new ApiError({ code, reason, message, details: { ...details, causes: [cause] } });
}

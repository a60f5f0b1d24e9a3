import type { KubeObject } from '../pkg/meta/types.js';
import type { Kind } from './kind.js';
import { kindOf, type Registry } from './registry.js';
import type { Companion } from './strategy.js';

/** The kind that a hook names by `<plural>.<group>`. */
export function namedKind(registry: Registry, resource: string): Kind {
  const kind = kindOf(registry, resource);
  if (kind === undefined) throw new Error(`a hook names objects of ${resource}, which are not kept on this server`);
  return kind;
}

/** The object that a companion is made of, and its kind. */
export function companionObject(
  registry: Registry,
  { resource, name, spec }: Companion,
  namespace: string,
): { readonly kind: Kind; readonly object: KubeObject } {
  const kind = namedKind(registry, resource);
  const metadata = { name, ...(kind.scope === 'Namespaced' && { namespace }) };
  return { kind, object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec } };
}

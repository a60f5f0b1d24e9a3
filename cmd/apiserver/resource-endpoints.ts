import type { Mount, MountOf } from '../../pkg/http/mounts.js';
import { answer, type Endpoints } from '../../pkg/http/router.js';
import { APPLY } from '../../registry/applyset/names.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { RunningResourceApi } from './resource-api.js';

/**
 * The resource API is one middleware, because its paths are data. It also answers for the core group below `/api`.
 * `applyBytes` is the maximum size of a body that applies many objects.
 */
export function resourceEndpoints({ handler, registry }: RunningResourceApi, applyBytes?: number): Endpoints {
  const mounts = ['/apis', '/openapi'].map((prefix) => ({ prefix, isResourceApi: true }));
  const select = applyBytes === undefined ? undefined : bulkMount(registry, applyBytes);
  return {
    mounts: mounts.map((mount) => ({ ...mount, ...(select && { select: (path) => select(path) ?? mount }) })),
    middleware: ({ state }, next) => (state.mount?.isResourceApi === true ? answer(state, handler) : next()),
  };
}

/** The mount of the paths that take many objects at once. */
function bulkMount({ applySets }: Registry, bulkBytes: number): MountOf {
  const mount: Mount = { prefix: '/apis', isResourceApi: true, bulkBytes };
  if (applySets === undefined) return () => undefined;
  const { group, version, resource } = applySets.sets;
  const [prefix, part] = [`/apis/${group}/${version}/namespaces/`, `/${resource}/`];
  return (path) => (path.startsWith(prefix) && path.includes(part) && path.endsWith(`/${APPLY}`) ? mount : undefined);
}

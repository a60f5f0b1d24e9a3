import { MASTERS_GROUP, type UserInfo } from '../pkg/authn/user.js';
import { ApiError } from '../pkg/status/status.js';
import { keyOf, partsOf } from '../storage/key.js';
import { encodeTuple } from '../storage/tuple.js';
import type { Kind } from './kind.js';
import { hasContents, namespaceKind } from './namespaces.js';
import { type Registry, TERMINATING_INDEX } from './registry.js';
import { deletion, Store } from './store.js';

const COLLECTOR: UserInfo = { name: 'system:namespace-collector', uid: '', groups: [MASTERS_GROUP], extra: {} };
/** Deletions at once; the engine makes one commit of what arrives together. */
const AT_ONCE = 100;

/**
 * Empties the namespaces that are being deleted and then lets them go, as Kubernetes' namespace controller does. One server does,
 * the elected one; what another has deleted already is no matter. Returns what stops it.
 */
export function startCollector(
  registry: Registry,
  onError: (error: unknown) => void,
  isElected: () => boolean = () => true,
): () => Promise<void> {
  const kind = namespaceKind(registry.kinds);
  if (kind === undefined) return async () => undefined;
  const stop = new AbortController();
  const running = run(registry, kind, stop.signal, onError, isElected);
  return async () => {
    stop.abort();
    await running;
  };
}

async function run(
  registry: Registry,
  kind: Kind,
  signal: AbortSignal,
  onError: (error: unknown) => void,
  isElected: () => boolean,
) {
  const { cacher } = registry;
  while (!signal.aborted && !cacher.closed) {
    const { changed } = cacher.ring(kind.qualified);
    // Asked for before looking, so that nothing that happens meanwhile is missed. It also wakes about once a second.
    const woken = changed.waitOrAbort(signal);
    for (const namespace of isElected() ? terminating(registry, kind) : []) {
      await collect(registry, kind, namespace, signal).catch((error: unknown) => {
        if (!signal.aborted && !cacher.closed) onError(error);
      });
    }
    await woken;
  }
}

function terminating({ cacher }: Registry, kind: Kind): readonly string[] {
  const entries = cacher.state.resource(kind.qualified).range(TERMINATING_INDEX, encodeTuple([]));
  return [...entries].map(({ key }) => partsOf(key).name);
}

async function collect(registry: Registry, kind: Kind, namespace: string, signal: AbortSignal): Promise<void> {
  for (const contained of registry.kinds) {
    if (contained.scope === 'Namespaced') await purge(registry, contained, namespace, signal);
  }
  const { state } = registry.cacher;
  const view = { count: (resource: string, name: string) => state.resource(resource).count(name) };
  // What has finalizers of its own is waited for.
  if (hasContents(registry, kind, namespace, view)) return;
  await new Store(kind, registry)
    .delete(namespace, deletion({ user: COLLECTOR, namespace: '', dryRun: false, signal }))
    .catch(unlessGone);
}

async function purge(registry: Registry, kind: Kind, namespace: string, signal: AbortSignal): Promise<void> {
  const store = new Store(kind, registry);
  const low = keyOf(kind.qualified, namespace, '');
  const options = deletion({ user: COLLECTOR, namespace, dryRun: false, signal });
  let names: string[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(names.map((name) => store.delete(name, options).catch(unlessGone)));
    names = [];
  };
  for (const entry of registry.cacher.state.resource(kind.qualified).entries(low, `${low.slice(0, -1)}0`)) {
    if (entry.attributes.isTerminating === true) continue;
    names.push(partsOf(entry.key).name);
    if (names.length === AT_ONCE) await flush();
  }
  await flush();
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
}

import { MASTERS_GROUP, type UserInfo } from '../pkg/authn/user.js';
import { ApiError } from '../pkg/status/status.js';
import { partsOf } from '../storage/key.js';
import { Client } from './client.js';
import type { Kind } from './kind.js';
import { hasContents, namespaceKind } from './namespaces.js';
import { type Registry, TERMINATING_INDEX } from './registry.js';

const COLLECTOR: UserInfo = { name: 'system:namespace-collector', uid: '', groups: [MASTERS_GROUP], extra: {} };
/** Number of concurrent deletions. The engine commits concurrent writes together. */
const AT_ONCE = 100;

/**
 * Empties terminating namespaces and then removes them, as Kubernetes' namespace controller does. Only the elected server needs to run it,
 * but several servers may. Returns a function that stops it.
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
    // The wait starts before the read, so that no change in between is missed. It also ends about once a second.
    const woken = changed.waitOrAbort(signal);
    for (const namespace of isElected() ? terminating(registry, kind) : []) {
      await collect(registry, kind, namespace, signal).catch((error: unknown) => {
        if (!signal.aborted && !cacher.closed) onError(error);
      });
    }
    await woken;
  }
}

function terminating({ reader }: Registry, kind: Kind): readonly string[] {
  return reader.entries(kind.qualified, TERMINATING_INDEX, []).map(({ key }) => partsOf(key).name);
}

async function collect(registry: Registry, kind: Kind, namespace: string, signal: AbortSignal): Promise<void> {
  const client = new Client(registry, { user: COLLECTOR, signal });
  for (const contained of registry.kinds) {
    if (contained.scope === 'Namespaced') await purge(client, contained, namespace);
  }
  // Objects with finalizers may remain. The next change starts another attempt.
  if (hasContents(registry, kind, namespace, registry.reader)) return;
  await client.delete(kind, '', namespace).catch(unlessGone);
}

async function purge(client: Client, kind: Kind, namespace: string): Promise<void> {
  let names: string[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(names.map((name) => client.delete(kind, namespace, name).catch(unlessGone)));
    names = [];
  };
  for (const entry of client.registry.reader.inNamespace(kind.qualified, namespace)) {
    if (entry.attributes.isTerminating === true) continue;
    names.push(partsOf(entry.key).name);
    if (names.length === AT_ONCE) await flush();
  }
  await flush();
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
}

import { MASTERS_GROUP, type UserInfo } from '../pkg/authn/user.js';
import type { KubeObject } from '../pkg/meta/types.js';
import { ApiError } from '../pkg/status/status.js';
import { partsOf } from '../storage/key.js';
import { Client } from './client.js';
import { collectionAt, keysIn, type ScanRange } from './collection.js';
import type { Kind } from './kind.js';
import type { Entry } from './reader.js';
import { type Registry, TERMINATING_INDEX } from './registry.js';
import { NO_DELETE_OPTIONS } from './write/delete.js';

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
  const kind = registry.namespaces;
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

function terminating({ reader }: Registry, kind: Kind): readonly KubeObject[] {
  return reader.range(kind.qualified, TERMINATING_INDEX, []);
}

async function collect(registry: Registry, kind: Kind, { metadata }: KubeObject, signal: AbortSignal): Promise<void> {
  const { name, uid } = metadata;
  const client = new Client(registry, { user: COLLECTOR, isTrusted: true, signal });
  const contained = registry.kinds.filter(({ scope }) => scope === 'Namespaced');
  for (const one of contained) await purge(client, one, name);
  // Objects with finalizers may remain. The next change starts another attempt.
  for (const one of contained) if ((await firstOf(registry, one, keysIn(one, name), 1)).length > 0) return;
  // A terminating namespace accepts no new objects, so an empty one stays empty.
  const options = { ...NO_DELETE_OPTIONS, isEmptied: true, preconditions: uid === undefined ? {} : { uid } };
  await client.delete(kind, '', name, options).catch(unlessGone);
}

async function purge(client: Client, kind: Kind, namespace: string): Promise<void> {
  const { low, high } = keysIn(kind, namespace);
  const remove = ({ key }: Entry) => client.delete(kind, namespace, partsOf(key).name).catch(unlessGone);
  for (let from: string = low; ; ) {
    const entries = await firstOf(client.registry, kind, { low: from, high }, AT_ONCE);
    await Promise.all(entries.filter(({ attributes }) => attributes.isTerminating !== true).map(remove));
    const last = entries.at(-1);
    if (last === undefined || entries.length < AT_ONCE) return;
    from = `${last.key}\0`;
  }
}

/** The first objects of a range of keys at the newest state. A fixed revision could be compacted while many objects are deleted. */
async function firstOf(registry: Registry, kind: Kind, range: ScanRange, limit: number): Promise<readonly Entry[]> {
  return collectionAt(registry, kind).take(range, limit);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
}

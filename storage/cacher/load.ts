import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Backend, Change, Revision } from '../backend.js';
import { damageOf, isDamage } from '../damage.js';
import { isStorageError, StorageError } from '../errors.js';
import { resourceOf } from '../key.js';
import type { LogPosition } from '../log/log-end.js';
import type { Definitions } from '../state/definitions.js';
import { type Entry, loadedEntry } from '../state/entry.js';
import type { ResourceDefinition } from '../state/resource.js';
import { ResourceState } from '../state/resource-state.js';
import { type Draft, State } from '../state/state.js';
import type { Checkpoint, Unusable } from '../tables/folder/checkpoint.js';
import type { TableFolder } from '../tables/folder/folder.js';
import { isSameStore } from '../tables/folder/same-store.js';
import { fillTables } from '../tables/work/fill.js';
import { flushLarge } from '../tables/work/flush.js';
import { eventOf } from './event.js';
import type { Ring } from './ring.js';

export interface Loaded {
  readonly state: State;
  readonly rings: ReadonlyMap<string, Ring>;
  /** The revision after which the rings have all changes. */
  readonly floor: Revision;
  /** `Backend.logId` of the state. */
  readonly logId: number | undefined;
}

/** Makes a ring for the changes of a resource after a revision. */
type NewRing = (floor: Revision, resource: string) => Ring;

interface LoadSource {
  readonly backend: Backend;
  readonly definitions: Definitions;
  /** Where objects are kept. Without it, all are read into memory. */
  readonly folder: TableFolder | undefined;
  /** Whether what the folder already has may be used. */
  readonly isUsable: boolean;
  /** Why not. */
  readonly why?: string | undefined;
  /** Called when the process that writes has read all objects from the store into files, with the reason. */
  readonly onRefill?: ((why: string) => void) | undefined;
  /** `Backend.logId` of the state that is replaced. */
  readonly logId: number | undefined;
  /** Called when objects cannot be written to the folder. They are in memory then. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reads the current state. Backend.load gives no snapshot, so the log since before the first read is applied to the
 * objects, except changes that an object already has. Earlier changes are not read: `recall` does so if somebody wants
 * them.
 */
export async function loadState(source: LoadSource, newRing: NewRing, signal: AbortSignal): Promise<Loaded> {
  const { backend } = source;
  let { isUsable, why, logId } = source;
  for (;;) {
    if (logId !== backend.logId) await backend.whenComplete?.(signal);
    ({ logId } = backend);
    try {
      const loaded = await loadOnce({ ...source, isUsable, why }, newRing, signal);
      if (loaded === undefined || backend.logId !== logId) why = 'the log was compacted or replaced meanwhile';
      else if (await isComplete(source, loaded.state)) return { ...loaded, logId };
      else {
        why = 'the store had other objects, as while it is being restored';
        await backend.whenComplete?.(signal);
      }
    } catch (error) {
      if (!isUsable || !isDamage(error)) throw error;
      why = damageOf(error);
    }
    isUsable = false;
  }
}

/** Only for the resources that the state defines: those whose definition is gone are not loaded. */
async function isComplete({ backend, definitions }: LoadSource, state: State): Promise<boolean> {
  if (backend.isComplete === undefined) return true;
  const all = [...definitions.fixed.values(), ...definitions.defined(state)];
  const sizes = new Map(all.map(({ resource }) => [resource, state.resource(resource).size]));
  return backend.isComplete(state.revision, sizes);
}

/**
 * Returns undefined if a compaction removed changes before they were read, or the log was replaced; the caller then
 * starts again.
 */
async function loadOnce(
  source: LoadSource,
  newRing: NewRing,
  signal: AbortSignal,
): Promise<Omit<Loaded, 'logId'> | undefined> {
  const { backend, definitions } = source;
  const draft = new State(0).draft();
  const { revision: before, commitId: last } = await loadObjects(source, draft, signal);
  const counters = new Map(await backend.counters());
  const target = await backend.end();
  const rings = new Map<string, Ring>();
  const ringOf = (resource: string): Ring => {
    const ring = rings.get(resource) ?? newRing(before, resource);
    rings.set(resource, ring);
    return ring;
  };
  let revision = before;
  let id = last;
  let isFull = false;
  try {
    for await (const commit of before < target ? backend.tail(before, signal, undefined, last) : []) {
      for (const change of commit.changes) replay(definitions, draft, ringOf, change);
      for (const [resource, id] of commit.counters) counters.set(resource, Math.max(id, counters.get(resource) ?? 0));
      revision = commit.end;
      id = commit.id;
      if (!isFull) isFull = !(await tryToFlush(source, draft));
      if (revision >= target) break;
    }
  } catch (error) {
    if (isStorageError(error, 'compacted') || isStorageError(error, 'diverged')) return undefined;
    throw error;
  }
  if (revision < target) throw new StorageError('closed', 'the store was closed during the load');
  return { state: draft.finish(revision, counters, id), rings, floor: before };
}

/** Returns false if the folder cannot be written. */
async function tryToFlush({ folder, onError }: LoadSource, draft: Draft): Promise<boolean> {
  try {
    if (folder?.isWriter === true) await flushLarge(folder, draft);
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** Fills the draft with objects. Each is at least as recent as the result, a place in the log. */
async function loadObjects(source: LoadSource, draft: Draft, signal: AbortSignal): Promise<LogPosition> {
  const { backend, definitions, folder, onError } = source;
  const keeps = (resource: string): boolean => folder?.keeps(resource) === true;
  const found = await usable(source);
  const end = await backend.end();
  const checkpoint = 'reason' in found ? undefined : found;
  const revision = checkpoint?.revision ?? end;
  const before = { revision, commitId: await backend.commitAt(revision) };
  if (checkpoint === undefined) await folder?.clear();
  const fill = async (definition: ResourceDefinition): Promise<void> => {
    const { resource } = definition;
    signal.throwIfAborted();
    const isKept = folder?.keeps(resource) === true;
    if (isKept && checkpoint !== undefined)
      draft.fill(resource, await ResourceState.filled({ parts: checkpoint.parts.get(resource) ?? [], rest: [] }));
    else if (isKept && folder.isWriter)
      draft.fill(
        resource,
        await ResourceState.filled(await fillTables({ backend, folder, onError, signal }, definition)),
      );
    else await loadResource(backend, definition, draft);
  };
  for (const definition of definitions.fixed.values()) await fill(definition);
  for (const definition of definitions.defined(draft)) await fill(definition);
  // The definitions of the other resources are gone. If one comes back, the state must know which objects were removed
  // from its tables.
  const filled = new Set(draft.resources);
  for (const [resource, parts] of checkpoint?.parts ?? [])
    if (keeps(resource) && !filled.has(resource)) draft.fill(resource, await ResourceState.filled({ parts, rest: [] }));
  if ('reason' in found && folder?.isWriter === true && end > 0) source.onRefill?.(found.reason);
  return before;
}

/** What the folder has, if it can be used, and otherwise why not. */
async function usable({ backend, folder, isUsable, why = '' }: LoadSource): Promise<Checkpoint | Unusable> {
  if (folder === undefined || !isUsable) return { reason: why };
  const checkpoint = await folder.load();
  if ('reason' in checkpoint) return checkpoint;
  if (!isNear(checkpoint, await backend.end())) return { reason: 'the store has many newer changes' };
  if (await isSameStore(backend, checkpoint)) return checkpoint;
  return { reason: 'the objects were of another store, or its log begins later' };
}

/** Whether reading the changes since a checkpoint takes less than reading all objects. */
function isNear({ revision, parts }: Checkpoint, end: Revision): boolean {
  let objects = 0;
  for (const tables of parts.values()) for (const { size } of tables) objects += size;
  return end - revision <= Math.max(objects, FEW_CHANGES);
}

const FEW_CHANGES = 10_000;

async function loadResource(backend: Backend, definition: ResourceDefinition, draft: Draft): Promise<void> {
  const entries: Entry[] = [];
  for await (const chunk of backend.load(definition.resource)) {
    for (const stored of chunk) entries.push(loadedEntry(definition, stored));
    // A load of 100,000 objects must not block the event loop, which serves health checks and signals.
    await yieldToLoop();
  }
  draft.fill(definition.resource, await ResourceState.of(entries));
}

function replay(definitions: Definitions, draft: Draft, ringOf: (resource: string) => Ring, change: Change): void {
  const resource = resourceOf(change.key);
  const definition = definitions.find(resource, draft);
  if (definition === undefined) return;
  const event = eventOf(definition, change, undefined);
  ringOf(resource).push(event);
  const known = draft.resource(resource).get(change.key);
  if (known !== undefined && known.revision >= change.revision) return;
  if (event.current === undefined) draft.delete(resource, change.key);
  else draft.put(resource, event.current);
}

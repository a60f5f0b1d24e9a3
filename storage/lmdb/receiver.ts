import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Bytes, Revision, Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { encodeSegments } from '../log/segment.js';
import { asBuffer } from '../state/codec.js';
import type { Head, LoggedCommit, ObjectVersion, Origin, Receiver, ReceiverOptions } from '../transfer/snapshot.js';
import { UNFINISHED } from '../transfer/unfinished.js';
import { commitAlone } from './commit.js';
import { FORMAT } from './format.js';
import { objectsOf } from './held.js';
import { openExclusively } from './lock.js';
import { endOf, keysThrough, logKey } from './log.js';
import { find } from './objects.js';
import { planCounters, planObjects, type WriteOperation } from './plan.js';
import { type End, type LmdbTables, META, versionOf } from './tables.js';

const CHUNK_OBJECTS = 500;

/**
 * Fills the embedded store in this folder, which is created if it does not exist. Throws `refused` if it has other
 * data.
 */
export async function openLmdbReceiver(path: string, options: ReceiverOptions): Promise<Receiver> {
  const { tables, release } = openExclusively(path);
  try {
    await begin(tables, path, options);
    return new LmdbReceiver(tables, path, options.origin, release);
  } catch (error) {
    await release();
    throw error;
  }
}

/** Makes an unfinished store of it. What is there stays if it is the work of an earlier receiver of the same origin. */
export async function begin(
  tables: LmdbTables,
  path: string,
  { domain, origin, replaces }: ReceiverOptions,
): Promise<void> {
  const isKnown = (tables.meta.get(META.origin) as Origin | undefined)?.origin === origin;
  if (!replaces && !isUntouched(tables, isKnown)) throw notEmpty(path);
  const { end } = (tables.meta.get(META.end) as End | undefined) ?? { end: 0 };
  const goesOn = isKnown && !replaces;
  await tables.meta.batch(() => {
    tables.meta.put(META.format, UNFINISHED, 1);
    tables.meta.put(META.domain, domain, 1);
    tables.meta.put(META.compacted, 0, 1);
    if (goesOn) tables.meta.put(META.origin, { origin, end: 0 }, 1);
    else tables.meta.remove(META.origin);
    tables.meta.put(META.end, { end, at: 0 }, versionOf(end));
  });
  if (goesOn) return;
  for (const name of ['objects', 'log', 'counters'] as const) await tables[name].clearAsync();
  // Noted last: if this is interrupted, what is left of other data must not count as work of this origin.
  await tables.meta.put(META.origin, { origin, end: 0 }, 1);
}

/** Whether nothing is lost if the store is filled. */
function isUntouched({ meta, objects }: LmdbTables, isKnown: boolean): boolean {
  const format = meta.get(META.format);
  if (format === undefined || format === UNFINISHED) return true;
  const { end } = meta.get(META.end) as End;
  const { end: finished } = (meta.get(META.origin) as Origin | undefined) ?? { end: 0 };
  return end === 0 ? objects.getKeysCount({ limit: 1 }) === 0 : isKnown && end === finished;
}

function notEmpty(path: string): StorageError {
  return new StorageError('refused', `The embedded store in ${path} has data of its own. With --force it is replaced.`);
}

class LmdbReceiver implements Receiver {
  readonly #tables: LmdbTables;
  readonly #path: string;
  readonly #origin: string;
  readonly #release: () => Promise<void>;
  #end: Revision;

  constructor(tables: LmdbTables, path: string, origin: string, release: () => Promise<void>) {
    this.#tables = tables;
    this.#path = path;
    this.#origin = origin;
    this.#release = release;
    this.#end = (tables.meta.get(META.end) as End).end;
  }

  async *present(): AsyncIterable<readonly ObjectVersion[]> {
    let start: Uint8Array = Buffer.alloc(0);
    for (;;) {
      const range = this.#tables.objects.getRange({ start, versions: true, limit: CHUNK_OBJECTS });
      const chunk = [...range].map(({ key, version }) => ({ key: textOf(key), revision: version ?? 0 }));
      const last = chunk.at(-1);
      if (last === undefined) return;
      yield chunk;
      start = Buffer.from(`${last.key}\0`);
      await yieldToLoop();
    }
  }

  async logged(compacted: Revision): Promise<Revision> {
    for (;;) {
      const keys = keysThrough(this.#tables, compacted);
      if (keys.length === 0) break;
      await this.#commit(keys.map((key) => ({ table: 'log', key })));
    }
    const [last] = [...this.#tables.log.getKeys({ reverse: true, limit: 1 })];
    return last === undefined ? compacted : endOf(last);
  }

  async put(objects: readonly Stored[]): Promise<void> {
    await this.#commit(planObjects(objects));
  }

  async remove(keys: readonly Key[]): Promise<void> {
    await this.#commit(planObjects(keys.map((key) => ({ key, revision: 0 }))));
  }

  async log(commits: readonly LoggedCommit[]): Promise<void> {
    const operations = commits.flatMap(({ end, changes, counters, at }): WriteOperation[] => {
      const segments = [...encodeSegments(end - changes.length, { commitId: '', changes, counters }, at)];
      return segments.map((value, i) => ({ table: 'log', key: logKey(end, i), value }));
    });
    await this.#commit(operations);
  }

  objects(): AsyncIterable<readonly Stored[]> {
    return objectsOf(this.#tables);
  }

  async get(key: Key): Promise<Bytes | undefined> {
    return find(this.#tables, key)?.value;
  }

  async finish({ end, at, compacted, counters }: Head): Promise<void> {
    const records = [
      { key: META.compacted, value: compacted, version: 1 },
      { key: META.origin, value: { origin: this.#origin, end }, version: 1 },
      { key: META.stored, value: end, version: 1 },
      { key: META.format, value: FORMAT, version: 1 },
      { key: META.end, value: { end, at }, version: versionOf(end) },
    ];
    await this.#commit([
      ...planCounters(counters),
      ...records.map((record): WriteOperation => ({ table: 'meta', ...record })),
    ]);
    this.#end = end;
  }

  close(): Promise<void> {
    return this.#release();
  }

  #commit(operations: readonly WriteOperation[]): Promise<void> {
    return commitAlone(this.#tables, this.#path, this.#end, operations);
  }
}

function textOf(key: Uint8Array): Key {
  return asBuffer(key).toString() as Key;
}

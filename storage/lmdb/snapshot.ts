import type { Transaction } from 'lmdb';
import { messageOf } from '../../pkg/system/errors/message.js';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Revision, Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import { overlaid, type Result } from '../log/overlay.js';
import { commitOf, decodeHeader } from '../log/segment.js';
import type { Head, LoggedCommit, Snapshot } from '../transfer/snapshot.js';
import { hasDataFile } from './data-file.js';
import { checkFormat } from './format.js';
import { objectsOf } from './held.js';
import { checkFolder, keepingOwner } from './lock.js';
import { endOf, logKey } from './log.js';
import { type End, type LmdbTables, META, openLmdbTables, openRootToRead } from './tables.js';
import { countersNow, unstoredOf } from './unstored.js';

const CHUNK_BYTES = 512 * 1024;

/**
 * Reads the embedded store as it is now, also while a server has it open: a read transaction of LMDB is a snapshot, and
 * blocks nobody. Pages that it can see are not used again before it is closed, so the data file may grow. A server
 * cannot start in the meantime.
 */
export async function openLmdbSnapshot(path: string): Promise<Snapshot> {
  const tables = openToRead(path);
  try {
    checkFormat(tables, path);
    const transaction = tables.root.useReadTransaction();
    return new LmdbSnapshot(tables, transaction);
  } catch (error) {
    await tables.root.close();
    throw error;
  }
}

export function openToRead(path: string): LmdbTables {
  if (!hasDataFile(path)) {
    throw new StorageError('refused', `There is no embedded store in ${path}.`);
  }
  try {
    checkFolder(path);
    return openLmdbTables(keepingOwner(path, () => openRootToRead(path)));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new StorageError('refused', `The embedded store in ${path} cannot be read: ${reason}`, { cause });
  }
}

class LmdbSnapshot implements Snapshot {
  readonly head: Head;
  readonly size: number;
  readonly #tables: LmdbTables;
  readonly #transaction: Transaction;
  readonly #unstored: Result;

  constructor(tables: LmdbTables, transaction: Transaction) {
    this.#tables = tables;
    this.#transaction = transaction;
    this.#unstored = unstoredOf(tables, { transaction });
    this.head = headOf(tables, transaction);
    this.size = (tables.objects.getStats() as { readonly entryCount: number }).entryCount;
  }

  objects(): AsyncIterable<readonly Stored[]> {
    return overlaid(objectsOf(this.#tables, this.#transaction), this.#unstored.changes.values());
  }

  async *commits(after: Revision): AsyncIterable<readonly LoggedCommit[]> {
    const { end } = this.head;
    let position = after;
    while (position < end) {
      const chunk = this.#commitsAfter(position);
      const last = chunk.at(-1);
      if (last === undefined)
        throw new StorageError('refused', `The log is damaged: change ${position + 1} is missing.`);
      yield chunk;
      position = last.end;
      await yieldToLoop();
    }
  }

  async close(): Promise<void> {
    this.#transaction.done();
    await this.#tables.root.close();
  }

  #commitsAfter(after: Revision): readonly LoggedCommit[] {
    const transaction = this.#transaction;
    const commits: LoggedCommit[] = [];
    let segments: Uint8Array[] = [];
    let [size, position] = [0, after];
    for (const { key, value } of this.#tables.log.getRange({ start: logKey(after + 1, 0), transaction })) {
      segments.push(value);
      size += value.byteLength;
      const { first, last, at } = decodeHeader(value);
      if (first > position + 1) break;
      if (!last) continue;
      position = endOf(key);
      commits.push({ ...commitOf(position, segments, after), at });
      segments = [];
      if (size >= CHUNK_BYTES) break;
    }
    return commits;
  }
}

function headOf(tables: LmdbTables, transaction: Transaction): Head {
  const { meta } = tables;
  const { end, at } = meta.get(META.end, { transaction }) as End;
  return {
    domain: String(meta.get(META.domain, { transaction })),
    end,
    at,
    compacted: Number(meta.get(META.compacted, { transaction })),
    counters: countersNow(tables, { transaction }),
  };
}

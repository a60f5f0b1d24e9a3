import { yieldingAsync } from '../../../pkg/system/yielding/yielding.js';
import type { Commit, Revision } from '../../backend.js';
import { resourceOf } from '../../key.js';
import { Result } from '../../log/overlay.js';
import type { Database } from '../connection/database.js';
import { type Heads, readHeads } from '../log/heads.js';
import { LogGap, readLog } from '../log/log.js';
import type { Reading } from '../log/reading.js';

/** What the log has beyond the objects. */
export interface Unstored {
  readonly heads: Heads;
  readonly result: Result;
  /** By resource, how many objects more there are than in its collection. Less than 0 if there are fewer. */
  readonly growth: ReadonlyMap<string, number>;
}

/**
 * Reads the rest of the log, and keeps what was read last, because a server that starts asks once for each resource.
 */
export class UnstoredChanges {
  readonly #database: Database;
  #last: Unstored | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** At least as new as what this server has read or written before. */
  async read(): Promise<Unstored> {
    for (let tried: Revision | undefined; ; ) {
      const heads = await this.#database.read((session) => readHeads(this.#database, { session }));
      if (isSame(heads, this.#last?.heads)) return this.#last as Unstored;
      try {
        this.#last = await this.#database.read((session) => unstoredOf(this.#database, heads, { session }));
        return this.#last;
      } catch (error) {
        // The objects have followed meanwhile, and the log was compacted.
        if (!(error instanceof LogGap) || tried === heads.stored) throw error;
        tried = heads.stored;
      }
    }
  }

  /** Frees the memory of what was read last. */
  forget(): void {
    this.#last = undefined;
  }
}

function isSame({ end, stored }: Heads, last: Heads | undefined): boolean {
  return last?.stored === stored && last.end.revision === end.revision && last.end.commitId === end.commitId;
}

/** Throws LogGap if the log was compacted meanwhile. */
export async function unstoredOf(database: Database, heads: Heads, reading: Reading): Promise<Unstored> {
  const { stored: after, end } = heads;
  const [result, growth] = [new Result(), new Map<string, number>()];
  let position = after;
  const commits = after < end.revision ? readLog(database, { after, through: end.revision }, reading) : [];
  for await (const commit of yieldingAsync(iterableOf(commits))) {
    result.add([commit]);
    count(commit, growth);
    position = commit.end;
  }
  if (position < end.revision) throw new LogGap(position);
  return { heads, result, growth };
}

async function* iterableOf<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* items;
}

function count({ changes }: Commit, growth: Map<string, number>): void {
  for (const { key, value, previous } of changes) {
    const difference = Number(value !== undefined) - Number(previous !== undefined);
    if (difference === 0) continue;
    const resource = resourceOf(key);
    growth.set(resource, (growth.get(resource) ?? 0) + difference);
  }
}

import type { Revision, Stored } from '../backend.js';
import { compareKeys, type Key } from '../key.js';
import type { LoggedCommit, ObjectVersion, Receiver, Snapshot } from './snapshot.js';

/** Objects are written in batches of at most this size. */
const BATCH_OBJECTS = 1000;
const BATCH_BYTES = 1024 * 1024;

/** What a fill has done, in numbers of objects and commits. */
interface Filled {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Commits of the log. */
  readonly commits: number;
}

/**
 * Makes the receiver the same as the snapshot. Objects with the same revision stay. So this continues an interrupted
 * run, and a later run writes only what has changed since. The receiver is not finished yet.
 */
export async function fill(snapshot: Snapshot, receiver: Receiver, progress: (done: number) => void): Promise<Filled> {
  const objects = await fillObjects(snapshot, receiver, progress);
  return { ...objects, commits: await fillLog(snapshot, receiver) };
}

async function fillObjects(
  snapshot: Snapshot,
  receiver: Receiver,
  progress: (done: number) => void,
): Promise<Omit<Filled, 'commits'>> {
  const existingObjects = new Ahead(receiver.present());
  const filled = { written: 0, unchanged: 0, removed: 0 };
  const remove = async (keys: readonly Key[]): Promise<void> => {
    filled.removed += keys.length;
    if (keys.length > 0) await receiver.remove(keys);
  };
  let writing: Promise<void> = Promise.resolve();
  for await (const batch of batches(snapshot.objects())) {
    const { changed, existing, extra, unchanged } = await compared(batch, existingObjects);
    // One batch is written while the next one is read.
    await writing;
    writing = remove(extra).then(() => (changed.length > 0 ? receiver.put(changed, existing) : undefined));
    writing.catch(() => undefined);
    filled.written += changed.length;
    filled.unchanged += unchanged;
    progress(filled.written + filled.unchanged);
  }
  await writing;
  for (let rest = await existingObjects.rest(); rest.length > 0; rest = await existingObjects.rest())
    await remove(rest);
  return filled;
}

interface Compared {
  readonly changed: readonly Stored[];
  readonly existing: ReadonlySet<Key>;
  readonly extra: readonly Key[];
  readonly unchanged: number;
}

async function compared(batch: readonly Stored[], existingObjects: Ahead): Promise<Compared> {
  const [changed, extra, existing] = [[] as Stored[], [] as Key[], new Set<Key>()];
  for (const object of batch) {
    let present = await existingObjects.peek();
    for (; present !== undefined && compareKeys(present.key, object.key) < 0; present = await existingObjects.peek()) {
      extra.push(present.key);
      existingObjects.take();
    }
    if (present?.key === object.key) {
      existingObjects.take();
      if (present.revision === object.revision) continue;
      existing.add(object.key);
    }
    changed.push(object);
  }
  return { changed, existing, extra, unchanged: batch.length - changed.length };
}

async function fillLog(snapshot: Snapshot, receiver: Receiver): Promise<number> {
  const { compacted, end } = snapshot.head;
  const position: Revision = await receiver.logged(compacted);
  if (position >= end) return 0;
  let count = 0;
  for await (const commits of snapshot.commits(position)) {
    await receiver.log(commits as readonly LoggedCommit[]);
    count += commits.length;
  }
  return count;
}

/** Puts chunks together, because a write of many objects costs less for each. */
export async function* batches(
  chunks: AsyncIterable<readonly Stored[]>,
): AsyncGenerator<readonly Stored[], void, undefined> {
  let batch: Stored[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    for (const object of chunk) {
      batch.push(object);
      size += object.value.byteLength;
    }
    if (batch.length < BATCH_OBJECTS && size < BATCH_BYTES) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** What is there, read one by one. */
class Ahead {
  readonly #chunks: AsyncIterator<readonly ObjectVersion[]>;
  #chunk: readonly ObjectVersion[] = [];
  #at = 0;

  constructor(chunks: AsyncIterable<readonly ObjectVersion[]>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async peek(): Promise<ObjectVersion | undefined> {
    while (this.#at >= this.#chunk.length) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      [this.#chunk, this.#at] = [next.value, 0];
    }
    return this.#chunk[this.#at];
  }

  take(): void {
    this.#at++;
  }

  /** The keys of the rest of a chunk; none if there are no more. */
  async rest(): Promise<readonly Key[]> {
    if ((await this.peek()) === undefined) return [];
    const keys = this.#chunk.slice(this.#at).map(({ key }) => key);
    this.#at = this.#chunk.length;
    return keys;
  }
}

import type { Entry } from '../../../storage/state/entry.js';
import { isLargeItem } from './large-item.js';
import { awaited, type Chunk } from './list-body.js';

/**
 * A list is sent in chunks of at most this size, which are written at once (`PIECE` of body-writer.ts), so that a large
 * list neither fills memory nor delays other requests.
 */
export const CHUNK = 64 * 1024;
/**
 * What is stored as in a list is sent from there if it has at least this many bytes. Less is copied, because each chunk
 * takes a turn of the event loop.
 */
const SMALLEST_RUN = CHUNK / 2;
export const COMMA = ',';
const END = ']}\n';

/** The next entries of a list. */
export interface Batch {
  readonly entries: readonly Entry[];
  readonly isLast: boolean;
}

/** All entries of a list in order. A promise is awaited before the next batch. */
export type Batches = Iterable<Batch | Promise<void>>;

/** An object of a list: bytes that can be copied into a chunk, or a text with one character for each byte. */
type Item = Pick<Entry, 'size' | 'copy' | 'text'> & Partial<Pick<Entry, 'precedes' | 'through'>>;

export function itemOf(bytes: Uint8Array): Item {
  return { size: bytes.length, copy: (target, at) => target.set(bytes, at), text: undefined };
}

/** How items are made that are not sent as they are stored. */
interface Rendering {
  readonly small: (entry: Entry) => Item;
  readonly large: (entry: Entry) => Promise<Uint8Array>;
}

/**
 * The list in chunks of at most CHUNK bytes, unless an object is larger. Without `render`, objects are sent as they are
 * stored.
 */
export function* chunks(head: string, batches: Batches, render?: Rendering): Generator<Chunk, undefined, undefined> {
  const next = new NextChunk(head);
  for (const batch of batches) {
    if (batch instanceof Promise) yield batch;
    else if (render === undefined) yield* storedChunks(next, batch);
    else yield* madeChunks(next, batch, render);
  }
  yield next.joined(END);
}

function* storedChunks(next: NextChunk, { entries, isLast }: Batch): Generator<Chunk, void, undefined> {
  for (let from = 0; from < entries.length; ) {
    const end = runEnd(entries, from);
    const hasMore = end < entries.length || !isLast;
    const run = next.isEmpty ? entries[from]?.through(entries[end - 1] as Entry, hasMore) : undefined;
    if (run !== undefined && run.length >= SMALLEST_RUN) {
      yield run;
      from = end;
      continue;
    }
    // After a full chunk, what follows may be sent from where it is stored.
    while (from < end && next.hasRoomFor(entries[from] as Entry)) next.add(entries[from++] as Entry);
    if (from < end) yield next.joined(COMMA);
  }
}

function* madeChunks(next: NextChunk, { entries }: Batch, render: Rendering): Generator<Chunk, void, undefined> {
  for (const entry of entries) {
    const item = isLargeItem(entry, 'compact') ? itemOf(yield* awaited(render.large(entry))) : render.small(entry);
    if (!next.hasRoomFor(item)) yield next.joined(COMMA);
    next.add(item);
  }
}

/** The items of a chunk that is being made. */
class NextChunk {
  /** It has one character for each byte. */
  #before: string;
  #items: Item[] = [];
  #size: number;

  constructor(head: string) {
    this.#before = Buffer.from(head).toString('latin1');
    this.#size = this.#before.length + END.length;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#before === '';
  }

  hasRoomFor({ size }: Item): boolean {
    return this.#items.length === 0 || this.#size + size < CHUNK;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#size += item.size + COMMA.length;
  }

  /** Makes the chunk, with a text behind it, and begins the next one. */
  joined(after: string): Buffer {
    const bytes = joined(this.#before, this.#items, after);
    this.#before = '';
    this.#items = [];
    this.#size = END.length;
    return bytes;
  }
}

/** The end of the items from `from` on that are stored as they are in a list. Together they are at most a chunk. */
function runEnd(items: readonly Item[], from: number): number {
  let end = from + 1;
  for (let size = items[from]?.size ?? 0; end < items.length; end++) {
    const next = items[end] as Entry;
    size += COMMA.length + next.size;
    if (size > CHUNK || items[end - 1]?.precedes?.(next) !== true) break;
  }
  return end;
}

/** Joins items with commas. `before` and `after` have one character for each byte. */
function joined(before: string, items: readonly Item[], after: string): Buffer {
  const texts: string[] = [];
  for (const { text } of items) {
    if (text === undefined) return copied(before, items, after);
    texts.push(text);
  }
  // To copy each text into the buffer takes three times as long. The ends belong to the first and the last text, so
  // that all is copied once.
  texts[0] = before + (texts[0] ?? '');
  texts[texts.length - 1] += after;
  return Buffer.from(texts.join(COMMA), 'latin1');
}

function copied(before: string, items: readonly Item[], after: string): Buffer {
  const size = items.reduce((sum, item) => sum + item.size, Math.max(0, items.length - 1));
  const bytes = Buffer.allocUnsafe(before.length + size + after.length);
  let at = bytes.write(before, 'latin1');
  for (let i = 0; i < items.length; ) {
    if (i > 0) at += bytes.write(COMMA, at, 'latin1');
    const end = runEnd(items, i);
    at += copyRun(items, i, end, bytes, at);
    i = end;
  }
  bytes.write(after, at, 'latin1');
  return bytes;
}

/** Copies items that are stored as they are in a list. Returns the number of bytes. */
function copyRun(items: readonly Item[], from: number, end: number, target: Buffer, at: number): number {
  const first = items[from] as Item;
  const run = end === from + 1 ? undefined : first.through?.(items[end - 1] as Entry, false);
  if (run === undefined) first.copy(target, at);
  else run.copy(target, at);
  return run?.length ?? first.size;
}

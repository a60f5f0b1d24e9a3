import type { Backend } from '../backend.js';
import { Regularly, type RegularWork } from './regularly.js';

interface CompactorOptions extends RegularWork {
  /** How many milliseconds of history are kept (`storage.history`). */
  readonly history: number;
  /** How many bytes of history are kept at most, even if they are younger (`storage.history_bytes`). */
  readonly bytes?: (() => number) | undefined;
  /** Milliseconds between two looks at the bytes. */
  readonly bytesPeriod?: number;
}

/**
 * The bytes of the log are looked at more often than its age, because it can grow by 100 MB in a second. A shared store
 * is asked over the network.
 */
const BYTES_PERIOD = { own: 250, shared: 2000 };
/** The part of the log that is removed before its size is looked at again. */
const PART = 1 / 64;

/**
 * Regularly removes history that is older than `history` by the store's clock, with a period of a tenth of `history`,
 * and the oldest history if there is too much. Returns a function that stops it.
 */
export function startCompactor(
  backend: Backend,
  {
    history,
    bytes,
    bytesPeriod = backend.shared ? BYTES_PERIOD.shared : BYTES_PERIOD.own,
    ...options
  }: CompactorOptions,
): () => Promise<void> {
  const regularly = new Regularly(options);
  regularly.start(Math.max(1000, history / 10), () => compactOnce(backend, history));
  if (bytes !== undefined) regularly.start(bytesPeriod, () => compactToBytes(backend, bytes(), () => regularly.isOver));
  return () => regularly.stop();
}

async function compactOnce(backend: Backend, history: number): Promise<void> {
  const through = await backend.revisionBefore(history);
  if (through > (await backend.compacted())) await backend.compact(through);
}

/**
 * Removes the oldest changes until the log has at most so many bytes. The store knows its size, but not that of single
 * changes, so this goes in small parts. Watches that are not as far get 410, as after any compaction. The newest change
 * stays.
 */
export async function compactToBytes(
  backend: Backend,
  limit: number,
  isOver: () => boolean = () => false,
): Promise<void> {
  let bytes = await backend.logBytes();
  while (bytes > limit && !isOver()) {
    const [from, end] = [await backend.compacted(), await backend.end()];
    const through = Math.min(from + Math.max(1, Math.floor((end - from) * PART)), end - 1);
    if (through <= from) return;
    await backend.compact(through);
    bytes = await backend.logBytes();
  }
}

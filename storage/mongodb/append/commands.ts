import type { Document } from 'mongodb';

/** `insert`, `update` or `delete` as on the wire: the driver's bulk writes would double the cost. */
export type WriteCommand = Document;

/**
 * In characters, of which each may take three bytes and some are sent twice. A command may have 16 MiB, and so may a
 * document.
 */
const MAX_LENGTH = 2 * 1024 * 1024;
/**
 * A document takes some bytes beside its text. It also takes time, and others get their turns only between two
 * commands.
 */
const MAX_DOCUMENTS = 1000;

/** Splits the items into as few commands as possible, in order. Takes no item before its command is asked for. */
export function* inCommands<T>(
  items: Iterable<T>,
  lengthOf: (item: T) => number,
  command: (part: readonly T[]) => WriteCommand,
): Generator<WriteCommand, void, undefined> {
  let part: T[] = [];
  let length = 0;
  for (const item of items) {
    const own = lengthOf(item);
    if (part.length === MAX_DOCUMENTS || (part.length > 0 && length + own > MAX_LENGTH)) {
      yield command(part);
      part = [];
      length = 0;
    }
    part.push(item);
    length += own;
  }
  if (part.length > 0) yield command(part);
}

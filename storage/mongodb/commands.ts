import type { Document } from 'mongodb';

/** `insert`, `update` or `delete` as on the wire: the driver's bulk writes would double the cost. */
export type WriteCommand = Document;

/** In characters, of which each may take three bytes and some are sent twice. A command may have 16 MiB, and so may a document. */
const MAX_LENGTH = 2 * 1024 * 1024;
/** Each document takes some bytes beside its text. */
const MAX_DOCUMENTS = 5000;

/** Splits the items into as few commands as possible, in order. */
export function inCommands<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  command: (part: readonly T[]) => WriteCommand,
): readonly WriteCommand[] {
  const commands: WriteCommand[] = [];
  let part: T[] = [];
  let length = 0;
  for (const item of items) {
    const own = lengthOf(item);
    if (part.length === MAX_DOCUMENTS || (part.length > 0 && length + own > MAX_LENGTH)) {
      commands.push(command(part));
      part = [];
      length = 0;
    }
    part.push(item);
    length += own;
  }
  if (part.length > 0) commands.push(command(part));
  return commands;
}

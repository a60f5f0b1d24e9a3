import type { Document } from 'mongodb';

/** `insert`, `update` or `delete` as the wire has it: what the driver builds around its bulk writes costs as much as sending them. */
export type WriteCommand = Document;

/** Characters of text, of which one may take three bytes and some stand there twice; a command has 16 MiB, and one document nearly as much. */
const LONGEST = 2 * 1024 * 1024;
/** Of documents, for what each takes beside its text. */
const MOST = 5000;

/** As few commands as MongoDB can take, in order. */
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
    if (part.length === MOST || (part.length > 0 && length + own > LONGEST)) {
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

import type { Socket } from 'node:net';

/** What reads the messages in the library. It calls itself for the rest of the data. */
export interface MessageParser {
  /** The beginning of a message whose end has not come yet. */
  readonly buffer?: Buffer;
  read(data: Buffer, messages: unknown): void;
}

/**
 * Makes the parser read one message after the other. By itself it recurses for each one, so that many small ones would
 * exceed the stack and end the process. What it throws ends the connection.
 */
export function readInTurn(parser: MessageParser, socketOf: () => Socket | undefined): void {
  const readFirst = parser.read.bind(parser);
  let [isReading, rest]: [boolean, Buffer | undefined] = [false, undefined];
  parser.read = (data, messages) => {
    rest = data;
    if (isReading) return;
    isReading = true;
    try {
      while (rest !== undefined) {
        const next: Buffer = rest;
        rest = undefined;
        readFirst(next, messages);
      }
    } catch (error) {
      socketOf()?.destroy(error instanceof Error ? error : undefined);
    } finally {
      isReading = false;
    }
  };
}

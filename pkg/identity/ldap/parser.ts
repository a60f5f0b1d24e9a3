import type { Socket } from 'node:net';
import { checkMessage, type Element, elementAt, MalformedMessage } from './ber.js';

/** What reads the messages in the library. It calls itself for the rest of the data. */
export interface MessageParser {
  read(data: Buffer, messages: unknown): void;
}

/** What has come of a message whose end has not. */
export interface Incoming {
  readonly isEmpty: boolean;
}

/**
 * Gives the parser one complete message after the other. By itself it recurses for each one, so that many small ones
 * would exceed the stack, and it reads some malformed ones without an end. Both end the process. What it throws ends
 * the connection.
 */
export function readInTurn(parser: MessageParser, socketOf: () => Socket | undefined, mostBytes: number): Incoming {
  const readOne = parser.read.bind(parser);
  const messages = new Messages(mostBytes);
  parser.read = (data, pending) => {
    try {
      for (const message of messages.after(data)) readOne(message, pending);
    } catch (error) {
      socketOf()?.destroy(error instanceof Error ? error : undefined);
    }
  };
  return messages;
}

/** Joins data to messages. */
class Messages implements Incoming {
  readonly #mostBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;
  /** The bytes that the message needs; 0 while that is not known. */
  #needed = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  *after(data: Buffer): Generator<Buffer> {
    this.#chunks.push(data);
    this.#length += data.length;
    if (this.#length < this.#needed) return;
    let bytes = Buffer.concat(this.#chunks);
    for (let message = elementAt(bytes, 0); ; message = elementAt(bytes, 0)) {
      this.#keep(bytes, message);
      if (message === undefined || message.to > bytes.length) return;
      checkMessage(bytes, message);
      const complete = bytes.subarray(0, message.to);
      bytes = bytes.subarray(message.to);
      this.#keep(bytes, undefined);
      yield complete;
    }
  }

  #keep(bytes: Buffer, message: Element | undefined): void {
    if ((message?.to ?? 0) > this.#mostBytes) throw new MalformedMessage();
    this.#chunks = bytes.length > 0 ? [bytes] : [];
    this.#length = bytes.length;
    this.#needed = message?.to ?? 0;
  }
}

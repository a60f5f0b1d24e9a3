import { Readable } from 'node:stream';
import type { ApiResponse } from './handler.js';

/** Larger chunks are written piece by piece, so that progress can be told while a slow client takes them. */
export const PIECE = 64 * 1024;
const EMPTY = new Uint8Array(0);

/**
 * The body of a response as a stream that Koa sends. The source is read no faster than the client takes what it gives, and its `return()` is
 * called if the stream ends before it. A source that gives nothing for `idleTimeout` milliseconds fails the stream.
 */
export class BodyStream extends Readable {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #idleTimeout: number;
  /** What is left of the chunk that is being written. */
  #rest: Uint8Array = EMPTY;
  #isFinished = false;

  constructor(body: AsyncIterable<Uint8Array>, idleTimeout: number) {
    super({ highWaterMark: PIECE });
    this.#source = body[Symbol.asyncIterator]();
    this.#idleTimeout = idleTimeout;
  }

  override _read(): void {
    if (this.#rest.length > 0) this.#pushPiece();
    else this.#next().then(this.#onChunk, this.#onFailure);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isFinished) endSource(this.#source);
    this.#isFinished = true;
    callback(error);
  }

  readonly #onChunk = ({ done, value }: IteratorResult<Uint8Array>): void => {
    if (this.#isFinished) return;
    if (done === true) {
      this.#isFinished = true;
      this.push(null);
    } else if (value.length <= PIECE) {
      this.push(value);
    } else {
      this.#rest = value;
      this.#pushPiece();
    }
  };

  readonly #onFailure = (error: Error): void => {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.destroy(error);
  };

  #pushPiece(): void {
    const piece = this.#rest.subarray(0, PIECE);
    this.#rest = this.#rest.subarray(PIECE);
    this.push(piece);
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    const milliseconds = this.#idleTimeout;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      const giveUp = () => reject(new Error(`The source of the response gave nothing for ${milliseconds} ms.`));
      timer = setTimeout(giveUp, milliseconds);
    });
    try {
      return await Promise.race([this.#source.next(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function isStream(body: ApiResponse['body']): body is AsyncIterable<Uint8Array> {
  return body !== undefined && !(body instanceof Uint8Array);
}

/** Lets the source of a body that is not sent clean up. */
export function discard(body: ApiResponse['body']): void {
  if (isStream(body)) endSource(body[Symbol.asyncIterator]());
}

export function endSource(source: AsyncIterator<Uint8Array>): void {
  source.return?.().catch(() => undefined);
}

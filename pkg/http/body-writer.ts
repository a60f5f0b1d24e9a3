import type { ServerResponse } from 'node:http';
import type { ApiResponse } from './handler.js';
import { isPolled, type PolledBody } from './polled-body.js';

/** Larger chunks are written piece by piece, so that progress can be seen while a slow client takes them. */
export const PIECE = 64 * 1024;

/**
 * Writes a streamed body as fast as the client takes it. The source is read no faster than that, and its `return()` is
 * called if the client leaves before its end. Koa would join streams instead, which takes 40 % more CPU for a page of
 * 500 objects and 8 % more for an event of a watch.
 */
export class BodyWriter {
  /** Absent when the body is finished, because the connection may keep this writer in memory for longer. */
  #source: AsyncIterator<Uint8Array> | PolledBody | undefined;
  readonly #res: ServerResponse;
  readonly #idleTimeout: number | undefined;

  /**
   * The response fails if the source gives nothing for `idleTimeout` milliseconds. Without it, the source may give
   * nothing for any time.
   */
  constructor(body: AsyncIterable<Uint8Array>, res: ServerResponse, idleTimeout?: number) {
    this.#source = isPolled(body) ? body : body[Symbol.asyncIterator]();
    this.#res = res;
    this.#idleTimeout = idleTimeout;
    res.on('close', () => this.finish());
  }

  /** Ends the body where it is. The client sees a complete response. */
  finish(): void {
    const source = this.#source;
    this.#source = undefined;
    if (source === undefined) return;
    endSource(source);
    if (isPolled(source)) source.onReady();
  }

  /**
   * Resolves when the body is written. Rejects if the source fails; then the client sees that the response is not
   * complete.
   */
  async run(): Promise<void> {
    try {
      if (isPolled(this.#source)) await this.#poll(this.#source);
      else if (this.#source !== undefined) await this.#iterate(this.#source);
      this.finish();
      this.#res.end();
    } catch (error) {
      this.finish();
      this.#res.destroy();
      throw error;
    }
  }

  async #iterate(source: AsyncIterator<Uint8Array>): Promise<void> {
    // The event `close` comes later than `destroyed`.
    while (this.#source !== undefined && !this.#res.destroyed) {
      const { done, value } = await this.#next(source);
      if (done === true) return;
      if (value.length > PIECE) await this.#writePieces(value);
      else if (!this.#res.write(value)) await this.#drained();
    }
  }

  /** Writes whatever the body has, whenever the client takes it. */
  #poll(source: PolledBody): Promise<void> {
    const res = this.#res;
    let rest: Uint8Array | undefined;
    return new Promise((resolve, reject) => {
      const write = (): void => {
        try {
          while (!res.writableNeedDrain) {
            const chunk = rest ?? source.poll();
            if (chunk === undefined) return;
            if (chunk === null || res.destroyed) return void resolve();
            rest = chunk.length > PIECE ? chunk.subarray(PIECE) : undefined;
            res.write(rest === undefined ? chunk : chunk.subarray(0, PIECE));
          }
        } catch (error) {
          reject(error);
        }
      };
      source.onReady = write;
      res.on('drain', write);
      res.on('close', resolve);
      write();
    });
  }

  #next(source: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    const next = source.next();
    return this.#idleTimeout === undefined ? next : within(this.#idleTimeout, next);
  }

  async #writePieces(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length && !this.#res.destroyed; at += PIECE) {
      if (!this.#res.write(chunk.subarray(at, at + PIECE))) await this.#drained();
    }
  }

  #drained(): Promise<void> {
    const res = this.#res;
    if (res.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        res.off('drain', done);
        res.off('close', done);
        resolve();
      };
      res.on('drain', done);
      res.on('close', done);
    });
  }
}

async function within<T>(milliseconds: number, pending: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error(`The source of the response gave nothing for ${milliseconds} ms.`));
    timer = setTimeout(giveUp, milliseconds);
  });
  try {
    return await Promise.race([pending, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

export function isStream(body: ApiResponse['body']): body is AsyncIterable<Uint8Array> {
  return body !== undefined && !(body instanceof Uint8Array);
}

/** Lets the source of a body that is not sent clean up. */
export function discard(body: ApiResponse['body']): void {
  if (isStream(body)) endSource(isPolled(body) ? body : body[Symbol.asyncIterator]());
}

function endSource(source: AsyncIterator<Uint8Array> | PolledBody): void {
  if (isPolled(source)) source.close();
  else source.return?.().catch(() => undefined);
}

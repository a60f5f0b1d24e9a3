import type { Exchange } from './request.js';
import type { Outgoing } from './wire.js';

/** Written at once; what is left of a larger chunk waits for the socket, so that progress can be told. */
const PIECE = 64 * 1024;

export interface PumpOptions {
  /** A client that takes nothing for so long is cut off. */
  readonly stallTimeout: number;
  /** A source that gives nothing for so long is given up; undefined: it may rest as long as it likes. */
  readonly idleTimeout: number | undefined;
}

/** Writes a streamed body as fast as the socket takes it. The iterator's `return()` is called however it ends. */
export async function pump(body: AsyncIterable<Uint8Array>, exchange: Exchange, options: PumpOptions): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  let isStopped = exchange.isClosed;
  const stop = (): void => {
    isStopped = true;
    iterator.return?.().catch(() => undefined);
  };
  exchange.stopStream = stop;
  if (isStopped) stop();
  try {
    while (!isStopped) {
      const next = await nextWithin(iterator, options.idleTimeout);
      if (next.done === true) return;
      if (!isStopped) await write(next.value, exchange, options.stallTimeout);
    }
  } finally {
    exchange.stopStream = undefined;
    if (!isStopped) iterator.return?.().catch(() => undefined);
  }
}

async function nextWithin(
  iterator: AsyncIterator<Uint8Array>,
  milliseconds: number | undefined,
): Promise<IteratorResult<Uint8Array>> {
  if (milliseconds === undefined) return iterator.next();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error(`The answer's source gave nothing for ${milliseconds} ms.`));
    timer = setTimeout(giveUp, milliseconds);
  });
  try {
    return await Promise.race([iterator.next(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function write(chunk: Uint8Array, exchange: Exchange, stallTimeout: number): Promise<void> {
  for (let at = 0; at < chunk.length && !exchange.isClosed; at += PIECE) {
    const piece = chunk.length <= PIECE ? chunk : chunk.subarray(at, at + PIECE);
    if (!exchange.out.write(piece) && !exchange.isClosed) await drained(exchange.out, stallTimeout);
  }
}

/** Waits until the socket has taken what was written, or is closed; closes it when it takes nothing at all. */
function drained(out: Outgoing, stallTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    let left = out.writableLength;
    const done = (): void => {
      clearInterval(timer);
      out.off('drain', done);
      out.off('close', done);
      resolve();
    };
    const timer = setInterval(() => {
      const now = out.writableLength;
      if (now < left) left = now;
      else out.destroy();
    }, stallTimeout);
    out.on('drain', done);
    out.on('close', done);
  });
}

import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

/** Below this compression costs more than it saves (kube-apiserver's threshold). */
export const COMPRESS_FROM = 128 * 1024;
/** The fastest; what better ones save on JSON is not worth their CPU (kube-apiserver's level). */
const LEVEL = 1;

/** Whether `Accept-Encoding` takes gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  for (const part of header.split(',')) {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (coding === 'gzip' || coding === '*') return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  }
  return false;
}

/** Leaving the result early ends the source too. */
export function gzip(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const compressed = createGzip({ level: LEVEL });
  // A failure of the source destroys `compressed` with it, and so reaches whoever reads it.
  pipeline(Readable.from(source, { objectMode: false }), compressed, () => undefined);
  return compressed;
}

/** `bytes` in pieces that a slow reader can take one by one. */
export async function* inPieces(bytes: Uint8Array, size = 256 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The first chunks of a body of unknown length: enough to tell whether it is worth compressing. */
export interface Peeked {
  readonly isWhole: boolean;
  readonly head: Uint8Array;
  /** Everything, the head included. */
  readonly body: AsyncIterable<Uint8Array>;
}

export async function peek(source: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let [length, isWhole] = [0, false];
  while (length <= bytes && !isWhole) {
    const next = await iterator.next();
    isWhole = next.done === true;
    if (next.done === true) break;
    head.push(next.value);
    length += next.value.length;
  }
  const again: AsyncIterator<Uint8Array> = {
    next: async () => {
      const first = head.shift();
      return first === undefined ? iterator.next() : { done: false, value: first };
    },
    return: async () => {
      head.length = 0;
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  const whole = isWhole ? Buffer.concat(head) : new Uint8Array(0);
  return { isWhole, head: whole, body: { [Symbol.asyncIterator]: () => again } };
}

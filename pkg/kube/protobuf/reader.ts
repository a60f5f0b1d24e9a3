import { isUtf8 } from 'node:buffer';
import protobuf from 'protobufjs/light.js';
import { badRequest, tooManyValues } from '../status/errors.js';

/**
 * Go writes members of an object that are zero, which JSON does not have: about twelve of them for each schema of a
 * definition.
 */
const FIELDS_PER_VALUE = 16;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads at most so many fields as an object with `values` values can have. */
export class BoundedReader extends protobuf.BufferReader {
  readonly #values: number;
  #fields: number;

  constructor(bytes: Uint8Array, values: number) {
    super(bufferOf(bytes));
    this.#values = values;
    this.#fields = values * FIELDS_PER_VALUE;
  }

  override tag(): number {
    if (this.#fields-- <= 0) throw tooManyValues(this.#values);
    const tag = super.tag();
    if (tag >>> 3 === 0) throw malformed('there is no field 0');
    return tag;
  }
}

/** Reads the values of a message. */
export class ValueReader extends protobuf.BufferReader {
  constructor(bytes: Uint8Array) {
    super(bufferOf(bytes));
  }

  override string(): string {
    const length = this.uint32();
    const [start, end] = [this.pos, this.pos + length];
    if (end > this.len) throw new RangeError('the text is cut off');
    const buffer = this.buf as Buffer;
    this.pos = end;
    if (isShortAscii(buffer, start, end)) return buffer.toString('latin1', start, end);
    if (!isUtf8(buffer.subarray(start, end))) throw malformed('a text is not valid UTF-8');
    return buffer.toString('utf8', start, end);
  }
}

const SHORT = 64;

/** A message may have thousands of short texts, for which a check by `isUtf8` takes longer than the rest. */
function isShortAscii(buffer: Buffer, start: number, end: number): boolean {
  if (end - start > SHORT) return false;
  for (let offset = start; offset < end; offset++) if ((buffer[offset] ?? 0) > 0x7f) return false;
  return true;
}

export function malformed(detail: string, cause?: unknown): Error {
  return badRequest(`the body is not a valid Kubernetes protobuf message: ${detail}`, cause);
}

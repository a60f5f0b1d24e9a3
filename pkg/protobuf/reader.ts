import { isUtf8 } from 'node:buffer';
import protobuf from 'protobufjs/light.js';
import { badRequest, tooManyValues } from '../status/errors.js';

/** Go writes members of an object that are zero, which JSON does not have: about twelve of them for each schema of a definition. */
const FIELDS_PER_VALUE = 16;

/** Reads a body with at most so many fields as an object with `values` values can have. */
export class BoundedReader extends protobuf.BufferReader {
  readonly #values: number;
  #fields: number;

  constructor(bytes: Uint8Array, values: number) {
    super(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#values = values;
    this.#fields = values * FIELDS_PER_VALUE;
  }

  override tag(): number {
    if (this.#fields-- <= 0) throw tooManyValues(this.#values);
    const tag = super.tag();
    if (tag >>> 3 === 0) throw malformed('there is no field 0');
    return tag;
  }

  override string(): string {
    const bytes = this.bytes();
    if (!isUtf8(bytes)) throw malformed('a text is not valid UTF-8');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }
}

export function malformed(why: string, cause?: unknown): Error {
  return badRequest(`the body is not a valid Kubernetes protobuf message: ${why}`, cause);
}

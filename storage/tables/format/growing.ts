/** Bytes of the first block. Each next one is twice as large, up to the largest. */
const SMALLEST = 4 * 1024;
const LARGEST = 256 * 1024;

/** Bytes whose number is not known in advance. They are kept in blocks, so that none are copied when more come. */
export class GrowingBytes {
  readonly #blocks: Uint8Array[] = [];
  #last = new Uint8Array(SMALLEST);
  #used = 0;
  #full = 0;

  get length(): number {
    return this.#full + this.#used;
  }

  /** Space for `length` bytes, which the caller fills. */
  allocate(length: number): Uint8Array {
    if (this.#used + length > this.#last.length) this.#next(length);
    this.#used += length;
    return this.#last.subarray(this.#used - length, this.#used);
  }

  /** The bytes in pieces. */
  pieces(): readonly Uint8Array[] {
    return [...this.#blocks, this.#last.subarray(0, this.#used)];
  }

  #next(length: number): void {
    this.#blocks.push(this.#last.subarray(0, this.#used));
    this.#full += this.#used;
    this.#last = new Uint8Array(Math.max(Math.min(2 * this.#last.length, LARGEST), length));
    this.#used = 0;
  }
}

/** Numbers, of which it is not known in advance how many there are. */
export class GrowingNumbers {
  readonly #bytes = new GrowingBytes();
  readonly #make: (buffer: Uint8Array) => Uint32Array | Float64Array;
  readonly #size: number;
  #current: Uint32Array | Float64Array = new Uint32Array(0);
  #used = 0;

  constructor(type: typeof Uint32Array | typeof Float64Array) {
    this.#size = type.BYTES_PER_ELEMENT;
    this.#make = ({ buffer, byteOffset, byteLength }) =>
      new type(buffer as ArrayBuffer, byteOffset, byteLength / type.BYTES_PER_ELEMENT);
  }

  push(value: number): void {
    if (this.#used === this.#current.length) {
      const count = Math.min(Math.max(2 * this.#current.length, FEWEST), MOST);
      this.#current = this.#make(this.#bytes.allocate(count * this.#size));
      this.#used = 0;
    }
    this.#current[this.#used++] = value;
  }

  /** The bytes of the numbers in pieces. */
  pieces(): readonly Uint8Array[] {
    const unused = (this.#current.length - this.#used) * this.#size;
    const pieces = [...this.#bytes.pieces()];
    const last = pieces.at(-1);
    if (last !== undefined) pieces[pieces.length - 1] = last.subarray(0, last.length - unused);
    return pieces;
  }
}

/** Numbers for which space is taken at once. */
const FEWEST = 64;
const MOST = 4096;

/** The numbers of one chunk: 1 KiB of bits, which the first write after a clone copies. */
const CHUNK_BITS = 13;
const CHUNK = 1 << CHUNK_BITS;
const WORDS = CHUNK / 32;

type Chunk = Uint32Array | undefined;

/** A set of numbers from 0. `clone` is cheap: both sets share their chunks until one of them writes. */
export class BitSet {
  #chunks: Chunk[];
  /** The chunks that no other set shares. */
  #own = new Set<number>();
  #size: number;

  constructor(chunks: Chunk[] = [], size = 0) {
    this.#chunks = chunks;
    this.#size = size;
  }

  /** The set that `bytes` wrote. */
  static of(bytes: Uint8Array): BitSet {
    const chunks: Chunk[] = [];
    let size = 0;
    for (let from = 0; from < bytes.length; from += CHUNK / 8) {
      const chunk = new Uint32Array(WORDS);
      new Uint8Array(chunk.buffer).set(bytes.subarray(from, from + CHUNK / 8));
      const count = countOf(chunk, 0, WORDS);
      size += count;
      chunks.push(count === 0 ? undefined : chunk);
    }
    return new BitSet(chunks, size);
  }

  get size(): number {
    return this.#size;
  }

  has(value: number): boolean {
    const chunk = this.#chunks[value >>> CHUNK_BITS];
    return chunk !== undefined && ((chunk[(value & (CHUNK - 1)) >>> 5] as number) & (1 << (value & 31))) !== 0;
  }

  add(value: number): void {
    if (this.has(value)) return;
    this.#flip(value);
    this.#size++;
  }

  delete(value: number): void {
    if (!this.has(value)) return;
    this.#flip(value);
    this.#size--;
  }

  clone(): BitSet {
    this.#own = new Set();
    return new BitSet(this.#chunks.slice(), this.#size);
  }

  /** How many numbers there are from `from` up to but without `to`. */
  count(from: number, to: number): number {
    if (this.#size === 0) return 0;
    let count = 0;
    for (let index = from; index < to; ) {
      const end = Math.min(to, (index | (CHUNK - 1)) + 1);
      const chunk = this.#chunks[index >>> CHUNK_BITS];
      if (chunk !== undefined) count += countBits(chunk, index & (CHUNK - 1), end - (index - (index & (CHUNK - 1))));
      index = end;
    }
    return count;
  }

  /** The smallest number from `from` on that is not in the set. */
  nextAbsent(from: number): number {
    let index = from;
    while (this.has(index)) index++;
    return index;
  }

  /**
   * The numbers that are not in an earlier set, of which this one is a clone with more numbers. Chunks that both share
   * are not looked at.
   */
  *since(earlier: BitSet): Generator<number, void, undefined> {
    for (const [i, chunk] of this.#chunks.entries()) {
      if (chunk === undefined || chunk === earlier.#chunks[i]) continue;
      for (let value = i * CHUNK; value < (i + 1) * CHUNK; value++)
        if (this.has(value) && !earlier.has(value)) yield value;
    }
  }

  /** The bits of the numbers below `length`, eight in each byte. */
  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(length / 8));
    for (const [i, chunk] of this.#chunks.entries()) {
      const from = (i * CHUNK) / 8;
      if (chunk === undefined || from >= bytes.length) continue;
      bytes.set(new Uint8Array(chunk.buffer).subarray(0, bytes.length - from), from);
    }
    return bytes;
  }

  #flip(value: number): void {
    const index = value >>> CHUNK_BITS;
    if (!this.#own.has(index)) {
      while (this.#chunks.length <= index) this.#chunks.push(undefined);
      this.#chunks[index] = this.#chunks[index]?.slice() ?? new Uint32Array(WORDS);
      this.#own.add(index);
    }
    const chunk = this.#chunks[index] as Uint32Array;
    const word = (value & (CHUNK - 1)) >>> 5;
    chunk[word] = (chunk[word] as number) ^ (1 << (value & 31));
  }
}

function countBits(chunk: Uint32Array, from: number, to: number): number {
  let [index, end] = [from, to];
  let count = 0;
  const has = (bit: number): number => ((chunk[bit >>> 5] as number) >>> (bit & 31)) & 1;
  while (index < end && (index & 31) !== 0) count += has(index++);
  while (end > index && (end & 31) !== 0) count += has(--end);
  return count + countOf(chunk, index >>> 5, end >>> 5);
}

function countOf(chunk: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) count += popCount(chunk[i] as number);
  return count;
}

/** The number of bits that are set, added in pairs, fours and bytes. */
function popCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

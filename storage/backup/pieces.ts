/** No line of a backup is longer. A file with a longer one is not read to its end. */
const LONGEST = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Divides a stream into lines, and into pieces of a given size. */
export class Pieces {
  readonly #chunks: AsyncGenerator<Buffer, void, undefined>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncGenerator<Buffer, void, undefined>) {
    this.#chunks = chunks;
  }

  /** The next line without its end. Undefined if there is no more, or if it has no end. */
  async line(): Promise<Buffer | undefined> {
    for (let from = 0; ; ) {
      const at = this.#rest.indexOf(LINE_FEED, from);
      if (at >= 0) {
        const line = this.#rest.subarray(0, at);
        this.#rest = this.#rest.subarray(at + 1);
        return line;
      }
      from = this.#rest.byteLength;
      if (from > LONGEST || !(await this.#more(1))) return undefined;
    }
  }

  /** The next `size` bytes, with memory of their own. Undefined if there are fewer. */
  async take(size: number): Promise<Buffer | undefined> {
    if (size > LONGEST) return undefined;
    const missing = size - this.#rest.byteLength;
    if (missing > 0 && !(await this.#more(missing))) return undefined;
    const piece = Buffer.allocUnsafeSlow(size);
    this.#rest.copy(piece, 0, 0, size);
    this.#rest = this.#rest.subarray(size);
    return piece;
  }

  async close(): Promise<void> {
    await this.#chunks.return();
  }

  async #more(atLeast: number): Promise<boolean> {
    const parts = [this.#rest];
    for (let got = 0; got < atLeast; ) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      parts.push(next.value);
      got += next.value.byteLength;
    }
    this.#rest = Buffer.concat(parts);
    return true;
  }
}

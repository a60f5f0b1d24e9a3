import { crc32 } from 'node:zlib';

/**
 * Bytes of a file that have a checksum together: a page. Reads of single objects are scattered, so more would cost a
 * get more than it reads.
 */
export const SUMMED = 4096;

/** Makes the checksums of a file while it is written. */
export class Summing {
  readonly #sums: number[] = [];
  #sum = 0;
  #filled = 0;

  add(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; ) {
      const length = Math.min(SUMMED - this.#filled, bytes.length - offset);
      this.#sum = crc32(bytes.subarray(offset, offset + length), this.#sum);
      this.#filled += length;
      offset += length;
      if (this.#filled === SUMMED) this.#next();
    }
  }

  /** The checksums of everything up to here. */
  end(): Uint8Array {
    if (this.#filled > 0) this.#next();
    return new Uint8Array(Uint32Array.from(this.#sums).buffer);
  }

  #next(): void {
    this.#sums.push(this.#sum);
    [this.#sum, this.#filled] = [0, 0];
  }
}

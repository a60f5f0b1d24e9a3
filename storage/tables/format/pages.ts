import type { MappedFile } from '../../../pkg/system/files/mapped-file.js';

/** Bytes that are checked, and read from the disk, together. */
const BLOCK = 64 * 1024;

/**
 * Knows which parts of a file are in the page cache. To ask the system takes two microseconds, so the answer is kept
 * for a period.
 */
export class Pages {
  readonly #file: MappedFile;
  readonly #onRead: (offset: number, length: number) => void;
  /** For each block, the last period in which it was in the page cache. */
  readonly #seen: Uint8Array;

  /** `onRead` is told what was read from the disk. */
  constructor(file: MappedFile, onRead: (offset: number, length: number) => void) {
    this.#file = file;
    this.#onRead = onRead;
    this.#seen = new Uint8Array(Math.ceil(file.size / BLOCK));
  }

  isResident(offset: number, length: number, period: number): boolean {
    const last = Math.floor((offset + length - 1) / BLOCK);
    for (let block = Math.floor(offset / BLOCK); block <= last; block++) {
      if (this.#seen[block] === period) continue;
      if (!this.#file.isResident(block * BLOCK, this.#lengthOf(block))) return false;
      this.#seen[block] = period;
    }
    return true;
  }

  async load(offset: number, length: number): Promise<void> {
    const start = offset - (offset % BLOCK);
    const bytes = Math.ceil((offset + length - start) / BLOCK) * BLOCK;
    await this.#file.load(start, bytes);
    this.#onRead(start, bytes);
  }

  #lengthOf(block: number): number {
    return Math.min(BLOCK, this.#file.size - block * BLOCK);
  }
}

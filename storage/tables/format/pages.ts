import type { MappedFile } from '../../../pkg/system/files/mapped-file.js';

/** Bytes whose place in the page cache is known together: a page of the system. */
const PAGE = 4096;
/** Bytes that are read from the disk together. What an object is next to is often read next. */
const BLOCK = 64 * 1024;

/**
 * Knows which parts of a file are in the page cache, and asks for what is missing. To ask the system takes two
 * microseconds, so the answer is kept for a period (`residencyPeriod`).
 */
export class Pages {
  readonly #file: MappedFile;
  readonly #onRead: (offset: number, length: number) => void;
  /** For each page, the last period in which it was in the page cache, or was asked for. */
  readonly #seen: Uint8Array;

  /** `onRead` is told what is read from the disk. */
  constructor(file: MappedFile, onRead: (offset: number, length: number) => void) {
    this.#file = file;
    this.#onRead = onRead;
    this.#seen = new Uint8Array(Math.ceil(file.size / PAGE));
  }

  /** Whether a range can be read without waiting for the disk. */
  isResident(offset: number, length: number, period: number): boolean {
    if (this.#isSeen(offset, length, period)) return true;
    const [start, end] = around(offset, length, BLOCK);
    if (!this.#file.isResident(start, Math.min(end, this.#file.size) - start)) return false;
    this.#see(start, end, period);
    return true;
  }

  /** Reads a range, and what is around it, without keeping the event loop. */
  async load(offset: number, length: number): Promise<void> {
    const [start, end] = around(offset, length, BLOCK);
    await this.#file.load(start, end - start);
    this.#onRead(start, end - start);
  }

  /** Asks for what is missing of a range and around it, so that its reader waits for the disk once. */
  prefetch(offset: number, length: number, period: number): void {
    this.#prefetch(offset, length, period, BLOCK);
  }

  /** The same for one of many ranges that lie apart, without what is around it. */
  prefetchAlone(offset: number, length: number, period: number): void {
    this.#prefetch(offset, length, period, PAGE);
  }

  /** Damaged numbers can be anything. The check of the bytes finds out. */
  #prefetch(offset: number, length: number, period: number, unit: number): void {
    if (this.#isSeen(offset, length, period) || !(offset >= 0 && offset + length <= this.#file.size)) return;
    const [start, end] = around(offset, length, unit);
    const bytes = Math.min(end, this.#file.size) - start;
    if (!this.#file.isResident(start, bytes)) {
      this.#file.prefetch(start, bytes);
      this.#onRead(start, bytes);
    }
    this.#see(start, end, period);
  }

  #isSeen(offset: number, length: number, period: number): boolean {
    const last = Math.floor((offset + length - 1) / PAGE);
    for (let page = Math.floor(offset / PAGE); page <= last; page++) if (this.#seen[page] !== period) return false;
    return true;
  }

  #see(start: number, end: number, period: number): void {
    this.#seen.fill(period, start / PAGE, end / PAGE);
  }
}

/** A range in whole units. */
function around(offset: number, length: number, unit: number): readonly [start: number, end: number] {
  return [Math.floor(offset / unit) * unit, Math.ceil((offset + length) / unit) * unit];
}

import type { MappedFile } from '../../../pkg/system/files/mapped-file.js';
import type { Checksums } from './checksums.js';

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
  readonly #checksums: Pick<Checksums, 'distrust' | 'unreadable'>;
  /** For each page, the last period in which it was in the page cache, and in which it was asked for. */
  readonly #seen: Uint8Array;
  readonly #asked: Uint8Array;

  /** `checksums` are told what is read from the disk, and what it cannot read. */
  constructor(file: MappedFile, checksums: Pick<Checksums, 'distrust' | 'unreadable'>) {
    this.#file = file;
    this.#checksums = checksums;
    this.#seen = new Uint8Array(Math.ceil(file.size / PAGE));
    this.#asked = new Uint8Array(this.#seen.length);
  }

  /** Whether a range can be read without waiting for the disk. */
  isResident(offset: number, length: number, period: number): boolean {
    return isMarked(this.#seen, offset, length, period) || this.#look(around(offset, length, BLOCK), period);
  }

  /**
   * Reads a range, and what is around it, without keeping the event loop. Throws DamageError if the disk cannot read
   * it.
   */
  async load(offset: number, length: number): Promise<void> {
    const [start, end] = around(offset, length, BLOCK);
    await this.#file.load(start, end - start).catch((error: unknown) => {
      throw this.#checksums.unreadable(error);
    });
    this.#checksums.distrust(start, end - start);
  }

  /**
   * Reads what is missing of a range and around it, or of the range alone if it was asked for. Blocks the event loop.
   * Throws DamageError if the disk cannot read it.
   */
  read(offset: number, length: number, period: number): void {
    if (isMarked(this.#seen, offset, length, period) || !this.#isInside(offset, length)) return;
    const range = around(offset, length, isMarked(this.#asked, offset, length, period) ? PAGE : BLOCK);
    if (this.#look(range, period)) return;
    const [start, end] = range;
    try {
      this.#file.readNow(start, end - start);
    } catch (error) {
      throw this.#checksums.unreadable(error);
    }
    this.#checksums.distrust(start, end - start);
    mark(this.#seen, range, period);
  }

  /** Asks for what is missing of a range and around it, so that its reader waits for the disk once. */
  prefetch(offset: number, length: number, period: number): void {
    this.#prefetch(offset, length, period, BLOCK);
  }

  /** The same for one of many ranges that lie apart, without what is around it. */
  prefetchAlone(offset: number, length: number, period: number): void {
    this.#prefetch(offset, length, period, PAGE);
  }

  #prefetch(offset: number, length: number, period: number, unit: number): void {
    if (isMarked(this.#seen, offset, length, period) || isMarked(this.#asked, offset, length, period)) return;
    // One look at all that is around it serves those of the range that follow.
    if (!this.#isInside(offset, length) || this.#look(around(offset, length, BLOCK), period)) return;
    const range = around(offset, length, unit);
    if (unit === BLOCK || !this.#look(range, period)) {
      const [start, end] = range;
      const bytes = Math.min(end, this.#file.size) - start;
      this.#file.prefetch(start, bytes);
      this.#checksums.distrust(start, bytes);
    }
    mark(this.#asked, range, period);
  }

  /** Damaged numbers can be anything. The check of the bytes finds out. */
  #isInside(offset: number, length: number): boolean {
    return offset >= 0 && offset + length <= this.#file.size;
  }

  /** Asks the system whether a range is in the page cache. */
  #look(range: Range, period: number): boolean {
    const [start, end] = range;
    if (!this.#file.isResident(start, Math.min(end, this.#file.size) - start)) return false;
    mark(this.#seen, range, period);
    return true;
  }
}

type Range = readonly [start: number, end: number];

function isMarked(periods: Uint8Array, offset: number, length: number, period: number): boolean {
  const last = Math.floor((offset + length - 1) / PAGE);
  for (let page = Math.floor(offset / PAGE); page <= last; page++) if (periods[page] !== period) return false;
  return true;
}

function mark(periods: Uint8Array, [start, end]: Range, period: number): void {
  periods.fill(period, start / PAGE, end / PAGE);
}

/** A range in whole units. */
function around(offset: number, length: number, unit: number): Range {
  return [Math.floor(offset / unit) * unit, Math.ceil((offset + length) / unit) * unit];
}

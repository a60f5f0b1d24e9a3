import { crc32 } from 'node:zlib';
import type { MappedFile } from '../../../pkg/system/files/mapped-file.js';
import { Yielder, yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import { DamageError, unreadable } from '../../damage.js';
import { SUMMED } from './sums.js';

/**
 * Milliseconds for which a file is taken to be as it was. Then its size and the time of its last change are asked for
 * before the next read.
 */
const TRUSTED = 200;

let turn = 1;
let isTimed = false;

/** Changes when files must be looked at again. There is a timer only while somebody reads. */
function currentTurn(): number {
  if (!isTimed) {
    isTimed = true;
    setTimeout(endTurn, TRUSTED).unref();
  }
  return turn;
}

function endTurn(): void {
  turn++;
  isTimed = false;
}

/** What is known of a file. */
interface SummedFile {
  readonly path: string;
  readonly file: MappedFile;
  /** The bytes from the beginning that have checksums. */
  readonly length: number;
  readonly sums: Uint32Array;
  /** Bytes of the file, which are within one window. */
  readonly bytesAt: (offset: number, length: number) => Uint8Array;
  /** Called once, when the file is known to be damaged. */
  readonly onDamage: (error: DamageError) => void;
}

/**
 * Checks the bytes of a file before they are used: each page once, and again when it was read from the disk again, or
 * when somebody has written to the file. So a page that was checked costs a comparison.
 */
export class Checksums {
  readonly #source: SummedFile;
  /** 1 for each page that was checked. */
  readonly #checked: Uint8Array;
  #turn = 0;
  #changed: number;
  /** When the file was changed last, as of the last time that all of it was right. */
  #confirmed: number;
  #version = 1;
  #isReported = false;

  constructor(source: SummedFile) {
    this.#source = source;
    this.#checked = new Uint8Array(source.sums.length);
    this.#changed = source.file.status().changed;
    this.#confirmed = this.#changed;
  }

  /**
   * Changes when pages that were checked must be checked again. Throws if the file became shorter: nothing behind its
   * end can be read.
   */
  get version(): number {
    if (this.#turn !== currentTurn()) this.#look();
    return this.#version;
  }

  get path(): string {
    return this.#source.path;
  }

  get size(): number {
    return this.#source.file.size;
  }

  /** Throws DamageError unless a range of bytes is as it was written. */
  check(offset: number, length: number): void {
    const end = offset + length;
    // Damaged numbers can be anything.
    if (!(offset >= 0 && length >= 0 && end <= this.#source.length)) throw this.#damaged(`there is no byte ${end}`);
    const last = Math.floor((end - 1) / SUMMED);
    for (let page = Math.floor(offset / SUMMED); page <= last; page++) if (this.#checked[page] === 0) this.#check(page);
  }

  /** The same without keeping the event loop. */
  async checkAll(offset: number, length: number): Promise<void> {
    const yielder = new Yielder();
    const end = offset + length;
    for (let position = offset - (offset % SUMMED); position < end; position += SUMMED) {
      void this.version;
      this.check(position, Math.min(SUMMED, end - position));
      if (yielder.isDue) await yielder.yield();
    }
  }

  /** These bytes were read from the disk again, which may give others than before. */
  distrust(offset: number, length: number): void {
    this.#checked.fill(0, Math.floor(offset / SUMMED), Math.ceil((offset + length) / SUMMED));
  }

  /** The same for what look-ups read without a check of each page. */
  renew(offset = 0, length = this.#source.length): void {
    this.distrust(offset, length);
    this.#version++;
  }

  /**
   * Throws DamageError if somebody has written to the file and it is not as it was. What copies bytes into another file
   * asks afterwards, because bytes that were checked can change before they are copied, and then they would have a
   * right checksum in the other file.
   */
  async confirm(): Promise<void> {
    const { changed } = this.#source.file.status();
    if (changed === this.#confirmed) return;
    await this.scan(() => yieldToLoop());
    this.#confirmed = changed;
  }

  /**
   * Reads all of the file from its beginning to its end and checks it. `pause` is awaited after each piece. Does not
   * use the map, so that the pages that nobody else reads do not count as memory of this process. Throws DamageError,
   * also if the disk cannot read them: in the map, that would end the process.
   */
  async scan(pause: (bytes: number) => Promise<void>): Promise<void> {
    const { file, length, sums } = this.#source;
    const piece = Buffer.allocUnsafe(PIECE);
    for (let position = 0; position < length; position += PIECE) {
      void this.version;
      const read = await file.read(piece, position, Math.min(PIECE, length - position)).catch((error: unknown) => {
        throw this.unreadable(error);
      });
      for (let from = 0; from < read; from += SUMMED) {
        const page = (position + from) / SUMMED;
        if (crc32(piece.subarray(from, Math.min(from + SUMMED, read))) !== sums[page]) throw this.#damaged(where(page));
      }
      await pause(read);
    }
  }

  /** The damage of a file that the disk cannot read. */
  unreadable(error: unknown): DamageError {
    return this.#report(unreadable(this.#source.path, error));
  }

  #check(page: number): void {
    const start = page * SUMMED;
    const bytes = this.#source.bytesAt(start, Math.min(SUMMED, this.#source.length - start));
    if (crc32(bytes) !== this.#source.sums[page]) throw this.#damaged(where(page));
    this.#checked[page] = 1;
  }

  #look(): void {
    const { file } = this.#source;
    const { size, changed } = file.status();
    if (size < file.size) throw this.#damaged('it became shorter');
    if (changed !== this.#changed) this.renew();
    this.#changed = changed;
    this.#turn = turn;
  }

  #damaged(what: string): DamageError {
    return this.#report(new DamageError(this.#source.path, what));
  }

  #report(error: DamageError): DamageError {
    if (!this.#isReported) this.#source.onDamage(error);
    this.#isReported = true;
    return error;
  }
}

/** Bytes that are read at once in the background. A multiple of a page. */
const PIECE = 256 * 1024;

function where(page: number): string {
  return `the bytes from ${page * SUMMED} on are not those that were written`;
}

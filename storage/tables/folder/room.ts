import { diskOf } from '../../disk.js';
import { reserveOf } from '../../reserve.js';

/**
 * The part of the reserve that is only for the store. It is more than what has to be really free for all writes, so
 * that files never keep writes away.
 */
const OF_STORE = 3 / 4;

/**
 * The free space of the disk that a folder is on. A store beside it needs its reserve for deletions: if files took it,
 * nobody could make room. Files in the folder can wait. Objects in memory may take a part of the reserve, because
 * memory would grow otherwise. Merges may take nothing of it.
 */
export class DiskReservation {
  readonly #path: string;
  readonly #reserve: number;

  /** `reserve`: the bytes that stay free; less on a small disk. 0: files may take all space. */
  constructor(path: string, reserve: number) {
    this.#path = path;
    this.#reserve = reserve;
  }

  /** Whether the disk has its whole reserve after `bytes` more. */
  keepsReserve(bytes: number): boolean {
    return this.#free(1) >= bytes;
  }

  /** Whether the disk has the part of its reserve that is only for the store, after `bytes` more. */
  takes(bytes: number): boolean {
    return this.#free(OF_STORE) >= bytes;
  }

  /** Throws if `bytes` more would take what is only for the store. */
  ensure(bytes: number): void {
    if (this.takes(bytes)) return;
    throw new Error(
      `ENOSPC: the disk of ${this.#path} has no room for a file of ${bytes} bytes: what is free is kept for the store (storage.reserve)`,
    );
  }

  /** What is free beside a part of the reserve. */
  #free(part: number): number {
    if (this.#reserve === 0) return Number.POSITIVE_INFINITY;
    const disk = diskOf(this.#path);
    return disk.free - part * reserveOf(this.#reserve, disk);
  }
}

import { diskOf } from '../../disk.js';
import { reserveOf } from '../../reserve.js';

/**
 * The part of the reserve that is only for the store. It is more than what has to be really free for all writes, so
 * that files never keep writes away.
 */
const OF_STORE = 3 / 4;

/**
 * The part of the free space that a file may take which makes more room than it takes. The rest is enough for the
 * deletions meanwhile.
 */
const OF_FREE = 1 / 8;

/**
 * The free space of the disk that a folder is on. A store beside it needs its reserve for deletions: if files took it,
 * nobody could make room. Files in the folder can wait. Objects in memory may take a part of the reserve, because
 * memory would grow otherwise. Merges may take nothing of it, unless they make room.
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

  /**
   * Whether the disk has the part of its reserve that is only for the store, after `bytes` more. A file in place of
   * others with `freed` bytes more than it has may also take a little of that part. Otherwise a full disk would stay
   * full.
   */
  takes(bytes: number, freed = 0): boolean {
    if (this.#free(OF_STORE) >= bytes) return true;
    return freed > bytes && bytes <= diskOf(this.#path).free * OF_FREE;
  }

  /** Throws if it does not take them. */
  ensure(bytes: number, freed = 0): void {
    if (this.takes(bytes, freed)) return;
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

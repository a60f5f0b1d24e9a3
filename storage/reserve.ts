import type { Backend } from './backend.js';
import type { Space } from './space.js';

export interface DiskReserveOptions {
  /** The bytes that stay free. On a small disk, it is less. */
  readonly bytes: number;
  /** Milliseconds between two looks. */
  readonly period?: number;
  /** Called when the space becomes too little, and when there is enough again. */
  readonly onChange?: (shortage: string | undefined) => void;
  /**
   * Called once if the disk is so small that deletions may not find room on it when it is full, with its size in MiB.
   */
  readonly onSmall?: (mebibytes: number) => void;
  /** Called if the store cannot tell its space. The last answer then still counts. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The reserve takes at most this part of a disk, or `LEAST` if that is more. To delete a large object takes room first,
 * because the trash and the log keep it for a while.
 */
const SHARE = 1 / 10;
const LEAST = 64 * 2 ** 20;
/** On a smaller disk, deletions may not find room when it is full. */
const SMALLEST_DISK = 100 * 2 ** 20;
/**
 * What the store can use again counts for the reserve. But a part of the reserve must be really free, because a large
 * object may not fit in what is free inside of the files. The more is free inside, the less that is. The files do not
 * become smaller: deletions on a full disk can make them grow, and after these, only what is free inside of them
 * becomes more. So with much free inside, hardly anything must be really free, or the server would refuse writes for
 * good.
 */
const REALLY_FREE: readonly { readonly reusable: number; readonly free: number }[] = [
  { reusable: 3 / 2, free: 1 / 32 },
  { reusable: 1, free: 1 / 8 },
];
const REALLY_FREE_OTHERWISE = 1 / 2;
/**
 * This part of the reserve is for deletions alone, and administrators may fill the rest. Deletions take room before
 * they make room, and the file of an embedded store grows by that, because a large object may not fit in what is free
 * inside.
 */
const FOR_DELETIONS = 1 / 2;
/** The space is looked at again after this part of the reserve was written. */
const LOOK_AFTER = 1 / 16;

/** How many bytes of a disk stay free. */
export function reserveOf(configured: number, { total }: Pick<Space, 'total'>): number {
  return Math.min(configured, Math.max(total * SHARE, LEAST));
}

/** Knows whether the disk of the store has less free space than it should have. */
export class DiskReserve {
  readonly #backend: Pick<Backend, 'space'>;
  readonly #options: DiskReserveOptions;
  #space: Space | undefined;
  #shortage: string | undefined;
  #shortageForAll: string | undefined;
  #written = 0;
  #measuring: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(backend: Pick<Backend, 'space'>, options: DiskReserveOptions) {
    this.#backend = backend;
    this.#options = options;
  }

  /** What the disk had at the last look. Absent: the store cannot tell. */
  get space(): Space | undefined {
    return this.#space;
  }

  /** The bytes that stay free; 0 if nothing is known about the disk. */
  get bytes(): number {
    return this.#space === undefined ? 0 : reserveOf(this.#options.bytes, this.#space);
  }

  /** Why the space is too little for writes of ordinary callers. Absent: it is enough, or unknown. */
  shortage(): string | undefined {
    return this.#shortage;
  }

  /** Why the space is too little also for administrators, who may use a part of the reserve. */
  shortageForAll(): string | undefined {
    return this.#shortageForAll;
  }

  /** Tells how many bytes were written. After many of them, the disk is looked at. */
  wrote(bytes: number): void {
    const reserve = this.bytes;
    this.#written += bytes;
    if (reserve > 0 && this.#written > reserve * LOOK_AFTER) void this.measure();
  }

  /** Looks at the disk at once, says if it is too small, and then looks regularly. */
  async start(): Promise<void> {
    await this.measure();
    const { total = SMALLEST_DISK } = this.#space ?? {};
    if (total < SMALLEST_DISK && this.bytes > 0) this.#options.onSmall?.(mebibytes(total));
    this.#timer = setInterval(() => void this.measure(), this.#options.period ?? 1000).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#measuring;
  }

  /** Looks at the disk. Resolves when that is done. If a look is running, it is the result of this call, too. */
  measure(): Promise<void> {
    this.#written = 0;
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measure(): Promise<void> {
    try {
      this.#space = await this.#backend.space?.();
    } catch (error) {
      this.#options.onError?.(error);
      return;
    }
    const shortage = this.#space && shortageOf(this.#space, this.bytes);
    const hasChanged = (shortage === undefined) !== (this.#shortage === undefined);
    this.#shortage = shortage;
    this.#shortageForAll = this.#space && shortageForAllOf(this.#space, this.bytes);
    if (hasChanged) this.#options.onChange?.(shortage);
  }
}

/** The bytes that must be really free if so many can be used again inside of the files. Absent: too few can. */
function reallyFree(reusable: number, reserve: number): number | undefined {
  const step = REALLY_FREE.find((one) => reusable >= reserve * one.reusable);
  return step && reserve * step.free;
}

function shortageOf({ free, reusable }: Space, reserve: number): string | undefined {
  const minFree = reallyFree(reusable, reserve) ?? reserve * REALLY_FREE_OTHERWISE;
  if (free + reusable >= reserve && free >= minFree) return undefined;
  return `the disk of the store has ${mebibytes(free)} MiB left, and ${mebibytes(reserve)} MiB are kept for deletions and administrators (storage.reserve)`;
}

function shortageForAllOf({ free, reusable }: Space, reserve: number): string | undefined {
  const keptBytes = reserve * FOR_DELETIONS;
  const minFree = reallyFree(reusable, reserve) ?? (reusable >= keptBytes ? keptBytes / 2 : keptBytes);
  if (free >= minFree) return undefined;
  return `the disk of the store has ${mebibytes(free)} MiB left, and ${mebibytes(keptBytes)} MiB are kept for deletions alone (half of storage.reserve)`;
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}

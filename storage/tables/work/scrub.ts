import { setTimeout as sleep } from 'node:timers/promises';
import { isDamage } from '../../damage.js';
import type { TableFolder } from '../folder/folder.js';

export interface ScrubLimits {
  /** Milliseconds after the start. */
  readonly first: number;
  /** Milliseconds between two passes. */
  readonly every: number;
  /** Bytes that are read in a second. */
  readonly rate: number;
}

const DAY = 24 * 60 * 60 * 1000;
export const SCRUB_LIMITS: ScrubLimits = { first: 60_000, every: DAY, rate: 16 * 2 ** 20 };

interface ScrubOptions {
  readonly folder: TableFolder;
  readonly limits?: ScrubLimits | undefined;
  readonly onError: (error: unknown) => void;
}

/** Reads all files from time to time, so that damage of what nobody asks for is found while the store still has it. */
export class Scrub {
  readonly #options: ScrubOptions;
  readonly #limits: ScrubLimits;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ScrubOptions) {
    this.#options = options;
    this.#limits = options.limits ?? SCRUB_LIMITS;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Reads each file once. One that is removed meanwhile can still be read. */
  async pass(): Promise<void> {
    for (const { checksums } of this.#options.folder.files) {
      if (this.#stop.signal.aborted) return;
      await checksums.scan((bytes) => this.#pause((1000 * bytes) / this.#limits.rate));
    }
  }

  async #run(): Promise<void> {
    await this.#pause(this.#limits.first);
    while (!this.#stop.signal.aborted) {
      // Of damage, the folder knows already.
      await this.pass().catch((error: unknown) => isDamage(error) || this.#options.onError(error));
      await this.#pause(this.#limits.every);
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

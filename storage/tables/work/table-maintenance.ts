import { CHECKPOINT_LIMITS, Checkpointer, type CheckpointerOptions } from './checkpointer.js';
import { Follower } from './follower.js';
import { Scrub, type ScrubLimits } from './scrub.js';

interface TableMaintenanceOptions extends CheckpointerOptions {
  readonly scrub?: ScrubLimits | undefined;
}

/**
 * Keeps the objects of a process in files. While another process of the server writes the files, this one only reads
 * them. When that one ends, this process writes.
 */
export class TableMaintenance {
  readonly #options: TableMaintenanceOptions;
  readonly #follower: Follower;
  readonly #checkpointer: Checkpointer;
  readonly #scrub: Scrub;
  #isClosing = false;
  #running: Promise<void> | undefined;

  constructor(options: TableMaintenanceOptions) {
    const { interval } = options.limits ?? CHECKPOINT_LIMITS;
    this.#options = options;
    this.#follower = new Follower({ ...options, interval });
    this.#checkpointer = new Checkpointer(options);
    this.#scrub = new Scrub({ ...options, limits: options.scrub });
  }

  start(): void {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    await this.#follower.run();
    if (this.#isClosing) return;
    this.#checkpointer.start();
    this.#scrub.start();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#follower.close();
    await this.#running;
    await this.#scrub.close();
    if (this.#options.folder.isWriter) await this.#checkpointer.close();
  }
}

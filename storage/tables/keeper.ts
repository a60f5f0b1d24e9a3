import { CHECKPOINT_LIMITS, Checkpointer, type CheckpointerOptions } from './checkpointer.js';
import { Follower } from './follower.js';

/** Keeps the objects of a process in files. While another process of the server writes the files, this one only reads them. When that one ends, this process writes. */
export class Keeper {
  readonly #options: CheckpointerOptions;
  readonly #follower: Follower;
  readonly #checkpointer: Checkpointer;
  #isClosing = false;
  #running: Promise<void> | undefined;

  constructor(options: CheckpointerOptions) {
    const { interval } = options.limits ?? CHECKPOINT_LIMITS;
    this.#options = options;
    this.#follower = new Follower({ ...options, interval });
    this.#checkpointer = new Checkpointer(options);
  }

  start(): void {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    await this.#follower.run();
    if (!this.#isClosing) this.#checkpointer.start();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#follower.close();
    await this.#running;
    if (this.#options.folder.isWriter) await this.#checkpointer.close();
  }
}

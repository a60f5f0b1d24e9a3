import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import type { Held } from './held.js';
import { CannotClose, Drifted, hasStatus, isOutage, Kept, Outage } from './refusal.js';
import { type Key, partsOf } from './resources.js';
import type { Step } from './step.js';

/** So many failures in a row are not about the objects. */
const IN_A_ROW = 5;

/** Sends objects one by one. What is about one is remembered; what is about the other server is thrown. */
export class Attempts {
  readonly #step: Step;
  readonly #held: Held;
  #inARow = 0;
  /** Whether something was done, so that it is worth looking again at once. */
  hasProgress = false;

  constructor(step: Step, held: Held) {
    this.#step = step;
    this.#held = held;
  }

  async attempt(key: Key, work: () => Promise<void>): Promise<void> {
    const { queue, memory } = this.#step;
    const mayBeThere = memory.mayHaveMade(key);
    try {
      await work();
      this.#inARow = 0;
      queue.done(key);
      this.#held.kept.delete(key);
      this.#held.drifted.delete(key);
      this.hasProgress = true;
    } catch (error) {
      const isRefused = error instanceof LegacyFailure && error.status >= 400 && error.status < 500;
      if (isRefused && !mayBeThere) memory.disown(key);
      this.#failed(key, error);
    }
  }

  /** It is there already, and stays as it is. */
  keep(key: Key): void {
    this.#step.queue.done(key);
    this.#held.kept.add(key);
    this.hasProgress = true;
  }

  /** Everything that lies in a folder there is looked at again. */
  lookInto(folder: string): void {
    const { memory, queue } = this.#step;
    for (const key of memory.in(folder)) {
      queue.addNow(key);
      if (partsOf(key).kind === 'folder') this.lookInto(partsOf(key).name);
    }
  }

  #failed(key: Key, error: unknown): void {
    const { queue } = this.#step;
    if (error instanceof Kept) {
      this.keep(key);
      return;
    }
    if (error instanceof Drifted) {
      queue.done(key);
      this.#held.drifted.set(key, error.message);
      this.hasProgress = true;
      return;
    }
    if (isOutage(error)) throw error;
    if (hasStatus(error, 404)) this.#doubt(key);
    if (error instanceof CannotClose) this.lookInto(partsOf(key).name);
    const reason = error instanceof Error ? error.message : String(error);
    queue.fail(key, reason);
    if (++this.#inARow >= IN_A_ROW) throw new Outage(reason);
  }

  /** Perhaps it is not there any more, nor what lies in it. */
  #doubt(key: Key): void {
    const { memory, queue } = this.#step;
    const { kind, name } = partsOf(key);
    const inside = kind === 'folder' ? memory.in(name) : [];
    memory.doubt([key, ...inside]);
    for (const one of inside) queue.addNow(one);
  }
}

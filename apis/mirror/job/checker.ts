import { secondsOf } from '../../alerting/duration.js';
import type { MirrorSpec } from '../mirror/schema.js';
import { drifts } from './check.js';
import type { Held } from './held.js';
import type { Memory } from './memory.js';
import type { Queue } from './queue.js';
import type { Key } from './resources.js';
import type { Target } from './target.js';

export interface CheckerOptions {
  readonly spec: MirrorSpec;
  readonly target: Target;
  readonly memory: Memory;
  readonly queue: Queue;
  readonly held: Held;
}

/** Looks now and then for what somebody has changed there, if the mirror is to. */
export class Checker {
  readonly #options: CheckerOptions;
  #at = Number.NEGATIVE_INFINITY;
  /** Whether there was a check. */
  isDone = false;
  /** What the last check has found and put back. */
  putBack: ReadonlyMap<Key, string> = new Map();

  constructor(options: CheckerOptions) {
    this.#options = options;
  }

  /** What was sent before this server kept the mirror is not compared yet. */
  get isMissing(): boolean {
    return this.#options.spec.check !== undefined && !this.isDone;
  }

  /** Milliseconds. Absent: there is no next check. */
  get nextIn(): number | undefined {
    return this.#options.spec.check === undefined ? undefined : Math.max(0, this.#at - performance.now());
  }

  /** The next check is due. */
  reset(): void {
    this.isDone = false;
    this.#at = Number.NEGATIVE_INFINITY;
  }

  async runIfDue(): Promise<void> {
    const { check } = this.#options.spec;
    if (check === undefined || performance.now() < this.#at) return;
    await this.#run(check.drift === 'PutBack');
    this.#at = performance.now() + secondsOf(check.interval) * 1000;
  }

  async #run(putsBack: boolean): Promise<void> {
    const { target, memory, queue, held } = this.#options;
    held.drifted.clear();
    const putBack = new Map<Key, string>();
    for await (const { key, what, found } of drifts(target, memory)) {
      (putsBack ? putBack : held.drifted).set(key, what);
      if (!putsBack) continue;
      if (found === undefined) memory.delete(key);
      else memory.set(key, { ...found, hash: what === 'its permissions' ? found.hash : '' });
      queue.addLater(key);
    }
    // Who was not there may have come. What is only reported stays as somebody has made it.
    for (const key of held.partial.keys()) if (!held.drifted.has(key)) queue.addLater(key);
    // What others had there may be gone.
    for (const key of held.kept) queue.addLater(key);
    this.putBack = putBack;
    this.isDone = true;
  }
}

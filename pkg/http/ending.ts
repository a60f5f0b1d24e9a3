import type { Outgoing } from './wire.js';

interface Progress {
  left: number;
  since: number;
}

/** Answers that are written to their end and not yet taken by their clients. A client that takes nothing must not make us keep them. */
export class Ending {
  readonly #answers = new Map<Outgoing, Progress>();
  readonly #stallTimeout: number;

  /** `stallTimeout` in milliseconds. */
  constructor(stallTimeout: number) {
    this.#stallTimeout = stallTimeout;
  }

  add(out: Outgoing): void {
    this.#answers.set(out, { left: Number.POSITIVE_INFINITY, since: 0 });
  }

  /** It is closed. */
  delete(out: Outgoing): void {
    this.#answers.delete(out);
  }

  /** Cuts off those of which nothing was taken for too long; to be called every now and then. */
  cutOffStalled(now = performance.now()): void {
    for (const [out, progress] of this.#answers) {
      const left = out.writableLength;
      if (left === 0) continue;
      if (left < progress.left) Object.assign(progress, { left, since: now });
      else if (now - progress.since >= this.#stallTimeout) out.destroy();
    }
  }
}

/** What a mirror does not delete, because it is too much at once. */
export interface Stop {
  /** How many objects are gone here or not selected any more. */
  readonly gone: number;
  /** How many objects the mirror has sent. */
  readonly sent: number;
}

/** A mirror that has sent fewer objects is not stopped. */
const FEW = 10;
/** Milliseconds without a deletion, after which earlier deletions do not count any more. */
const AT_ONCE = 600_000;

/**
 * Stops a mirror before it deletes more than half of what it has sent: mostly, a wrong selection or a loss here is the
 * reason, and not that nobody wants the objects any more.
 */
export class DeletionGuard {
  readonly #most: number;
  readonly #now: () => number;
  #deleted = 0;
  #deletedAt = Number.NEGATIVE_INFINITY;

  /** `most`: so many deletions at once are wanted. */
  constructor(most = 0, now = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /** Whether so many objects must not be deleted now. Deletions of the last minutes count as part of them. */
  stop({ gone, sent }: Stop): Stop | undefined {
    if (this.#now() - this.#deletedAt > AT_ONCE) this.#deleted = 0;
    const all = { gone: gone + this.#deleted, sent: sent + this.#deleted };
    const isAllowed = gone === 0 || all.sent < FEW || all.gone * 2 <= all.sent || all.gone <= this.#most;
    return isAllowed ? undefined : all;
  }

  /** One object was deleted. */
  count(): void {
    this.#deleted++;
    this.#deletedAt = this.#now();
  }
}

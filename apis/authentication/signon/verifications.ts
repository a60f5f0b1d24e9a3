import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { defer } from '../../../pkg/system/yielding/yielding.js';

const MOST_WAITING = 16;

/**
 * Reads messages of SAML one after another. Each takes the processor for a while, so others get a turn between two of
 * them, and what comes while too many wait is refused.
 */
export class Verifications {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Throws SignOnFailure if too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) throw new SignOnFailure('busy', 'too many messages of SAML are read');
    this.#waiting++;
    const turn = this.#last.then(() => new Promise<void>((resolve) => defer(resolve))).then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }
}

import { Shares } from '../../../pkg/http/flowcontrol/shares.js';
import { GuessLimit } from '../../../pkg/identity/authn/guess-limit.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { addressKey } from '../../../pkg/system/net/address.js';

/** Failures from one address, as for passwords: it may be the address of many people. */
const BY_ADDRESS = { free: 10, longest: 30_000, forgiveEvery: 30_000 };
/** Sign-ins that wait for a provider, each for up to ten seconds. One address gets at most half of them. */
const MOST_AT_ONCE = 64;

/**
 * Bounds the sign-ins that ask a provider. If sign-ins from an address fail, later ones wait. Each server counts for
 * itself.
 */
export class SignOnAttempts {
  readonly #failures: GuessLimit;
  readonly #running = new Shares(MOST_AT_ONCE);

  constructor(now: () => number) {
    this.#failures = new GuessLimit(BY_ADDRESS, now);
  }

  /**
   * Throws SignOnFailure if the address has to wait, or too many are running. Failures of one kind do not hinder those
   * of another: pages of other sites can let the browsers of their visitors send some of them.
   */
  async run<T>(address: string, work: () => Promise<T>, kind = ''): Promise<T> {
    const key = `${addressKey(address)}${kind}`;
    if (this.#failures.wait(key) > 0 || !this.#running.take(key)) {
      throw new SignOnFailure('busy', 'too many sign-ins fail or run');
    }
    this.#failures.enter(key);
    let failed = true;
    try {
      const result = await work();
      failed = false;
      return result;
    } finally {
      this.#failures.leave(key, failed);
      this.#running.give(key);
    }
  }
}

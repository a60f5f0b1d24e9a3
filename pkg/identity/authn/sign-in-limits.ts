import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fold } from '../../kube/meta/fold.js';
import { tooManyRequests } from '../../kube/status/errors.js';
import { addressKey } from '../../system/net/address.js';
import type { BackoffRules } from './backoff.js';
import { GuessLimit } from './guess-limit.js';

const MINUTE = 60_000;
/**
 * Guesses at one login name or e-mail address, from all addresses where it has not signed in. An account has both. They
 * are counted separately, because a shared count would show that they belong together. So an account allows twice as
 * many guesses.
 */
const BY_NAME: BackoffRules = { free: 3, longest: MINUTE, forgiveEvery: 5 * MINUTE };
/** Guesses from one address at names that have not signed in from it. It may be the address of many people. */
const BY_ADDRESS: BackoffRules = { free: 10, longest: MINUTE / 2, forgiveEvery: MINUTE / 2 };
/**
 * Guesses at one name from one address. It has the longest wait. While an attacker waits, others can use the attempts
 * of the name.
 */
const BY_BOTH: BackoffRules = { free: 5, longest: 5 * MINUTE, forgiveEvery: 10 * MINUTE };

const MOST_USUAL = 50_000;

export interface Attempt {
  /** As it was typed. */
  readonly login: string;
  readonly address: string;
}

export interface AttemptKeys {
  readonly name: string;
  readonly address: string;
  readonly both: string;
}

type Counted = readonly [limit: GuessLimit, key: string];

/**
 * Makes those who guess passwords wait: by name, by address, and by both. If a name has signed in from an address, it
 * does not wait there because of guesses from other addresses, or at other names. Unknown names are treated like all
 * others. Each server keeps its own counts in memory.
 */
export class SignInLimits {
  readonly #byName: GuessLimit;
  readonly #byAddress: GuessLimit;
  readonly #byBoth: GuessLimit;
  /**
   * By name and address: the revision of the account that signed in. With `max`, it would take the memory of all its
   * entries at once.
   */
  readonly #usual = new LRUCache<string, string>({ maxSize: MOST_USUAL, sizeCalculation: () => 1 });

  constructor(now: () => number) {
    this.#byName = new GuessLimit(BY_NAME, now);
    this.#byAddress = new GuessLimit(BY_ADDRESS, now);
    this.#byBoth = new GuessLimit(BY_BOTH, now);
  }

  /**
   * Names are hashed, because any text may be sent as one, even a password. Directories find one person by names that
   * differ in white space and in forms of letters, so these are one name here.
   */
  keysOf({ login, address: from }: Attempt): AttemptKeys {
    const folded = fold(login.normalize('NFKC')).trim().replaceAll(/\s+/g, ' ');
    const name = createHash('sha256').update(folded).digest('base64');
    const address = addressKey(from);
    return { name, address, both: `${name} ${address}` };
  }

  /** Whether the account, as it is now, has signed in with this name from this address. */
  isUsual({ both }: AttemptKeys, revision: string | undefined): boolean {
    return revision !== undefined && this.#usual.get(both) === revision;
  }

  signedIn({ both }: AttemptKeys, revision: string): void {
    this.#usual.set(both, revision);
    this.#byBoth.forgive(both);
  }

  /**
   * If this attempt might exceed a limit, waits for the attempts that are being checked, so that a correct one is not
   * refused because of them. Returns what ends the attempt. Throws ApiError 429 with the seconds to wait.
   */
  async enter(keys: AttemptKeys, isUsual: () => boolean): Promise<(isWrong: boolean) => void> {
    for (;;) {
      const counted = this.#counted(keys, isUsual());
      const wait = Math.max(...counted.map(([limit, key]) => limit.wait(key)));
      if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1_000));
      const full = counted.find(([limit, key]) => !limit.hasRoom(key));
      if (full === undefined) return begin(counted);
      await full[0].whenOneEnds(full[1]);
    }
  }

  #counted({ name, address, both }: AttemptKeys, isUsual: boolean): readonly Counted[] {
    const own: Counted = [this.#byBoth, both];
    return isUsual ? [own] : [own, [this.#byName, name], [this.#byAddress, address]];
  }
}

function begin(counted: readonly Counted[]): (isWrong: boolean) => void {
  for (const [limit, key] of counted) limit.enter(key);
  return (isWrong) => {
    for (const [limit, key] of counted) limit.leave(key, isWrong);
  };
}

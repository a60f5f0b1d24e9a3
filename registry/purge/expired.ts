import { encodeTuple } from '../../storage/tuple.js';
import { EXPIRY_INDEX, type Expiry } from '../dependence.js';
import type { Kind } from '../kind.js';
import type { Clock, Registry } from '../registry.js';
import type { PurgeRange, Removal } from './removal.js';

/** Milliseconds between two looks for expired objects. */
const EVERY = 60_000;

/** Removes the objects that are kept for long enough. */
export function expiredObjects({ clock }: Registry, kind: Kind): readonly Removal[] {
  return kind.expiry === undefined ? [] : [new ExpiredObjects(clock, kind, kind.expiry)];
}

class ExpiredObjects implements Removal {
  readonly kind: Kind;
  readonly wokenBy: string;
  readonly #clock: Clock;
  readonly #lasts: number;
  #next = 0;

  constructor(clock: Clock, kind: Kind, { lasts }: Expiry) {
    this.#clock = clock;
    this.kind = kind;
    this.wokenBy = kind.qualified;
    this.#lasts = lasts;
  }

  async ranges(): Promise<readonly PurgeRange[]> {
    const now = this.#clock.now();
    if (now < this.#next) return [];
    this.#next = now + EVERY;
    return [{ index: EXPIRY_INDEX, from: '', to: encodeTuple([now - this.#lasts]) }];
  }

  done(): void {
    // The next look is due after a time, whatever this one found.
  }

  restart(): void {
    this.#next = 0;
  }
}

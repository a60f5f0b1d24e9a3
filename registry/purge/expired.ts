import { EXPIRY_INDEX, type Expiry } from '../kinds/dependence.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { entriesOf } from '../read/ranges.js';
import type { Entry } from '../read/reader.js';
import type { Removal } from './removal.js';

/** Milliseconds between two looks for expired objects. */
const EVERY = 60_000;

/** Removes the objects that are kept for long enough. */
export function expiredObjects(registry: Registry, kind: Kind): readonly Removal[] {
  return kind.expiry === undefined ? [] : [new ExpiredObjects(registry, kind, kind.expiry)];
}

class ExpiredObjects implements Removal {
  readonly kind: Kind;
  readonly wokenBy: string;
  readonly #registry: Registry;
  readonly #lasts: number;
  #next = 0;

  constructor(registry: Registry, kind: Kind, { lasts }: Expiry) {
    this.#registry = registry;
    this.kind = kind;
    this.wokenBy = kind.qualified;
    this.#lasts = lasts;
  }

  objects(): Iterable<Entry> {
    const { clock, purgeClock = clock } = this.#registry;
    const now = purgeClock.now();
    if (now < this.#next) return [];
    this.#next = now + EVERY;
    return entriesOf(this.#registry.reader, this.kind.qualified, {
      index: EXPIRY_INDEX,
      prefix: [],
      to: [now - this.#lasts],
    });
  }

  done(): void {
    // The next look is due after a time, whatever this one found.
  }

  restart(): void {
    this.#next = 0;
  }
}

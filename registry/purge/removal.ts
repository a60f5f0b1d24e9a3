import type { Kind } from '../kinds/kind.js';
import type { Entry } from '../read/reader.js';

/** One reason to remove objects of a kind. */
export interface Removal {
  readonly kind: Kind;
  /** The resource whose changes may give it work. */
  readonly wokenBy: string;
  /**
   * The objects to remove now. `undefined`: the search goes on, and others may get their turns. It is called about once
   * a second, so most calls must be cheap.
   */
  objects(): Iterable<Entry | undefined>;
  /** All objects are removed. */
  done(): void;
  /**
   * Others may have removed objects in the meantime, or a removal failed: the next call of `objects` looks at
   * everything.
   */
  restart(): void;
}

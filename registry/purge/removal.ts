import type { IndexRange } from '../../storage/backend.js';
import type { Kind } from '../kind.js';

/** One reason to remove objects of a kind that is not cached. */
export interface Removal {
  readonly kind: Kind;
  /** The resource whose changes may give it work. */
  readonly wokenBy: string;
  /** The ranges of objects to remove now. It is called about once a second, so most calls must be cheap. */
  ranges(): Promise<Iterable<PurgeRange>>;
  /** All objects of the ranges are removed. */
  done(): void;
  /** Others may have removed objects in the meantime, or a removal failed: the next call of `ranges` looks at everything. */
  restart(): void;
}

export type PurgeRange = Omit<IndexRange, 'limit'>;

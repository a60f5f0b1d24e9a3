import type { Work } from '../../../system/yielding/work.js';
import type { Causes, StatusCause } from '../../status/causes.js';
import type { Correlation } from './correlation.js';

/** What the rules of one request may cost. */
export interface RuleBudget {
  /** In the units of cel-go. Negative when it is used up: then nothing more is checked. */
  left: number;
}

/** What is the same for all values of a validation. */
export interface Validation {
  readonly budget: RuleBudget;
  readonly causes: Causes;
  readonly work: Work;
  readonly warn: (cause: StatusCause) => void;
}

/** Links a value to its old value, for ratcheting. */
export interface Ratchet {
  readonly current?: Correlation | undefined;
  /** The nearest value above that has an old value. */
  readonly nearest?: Correlation | undefined;
}

import type { Revision } from '../backend.js';
import type { Key } from '../key.js';
import type { Entry } from './entry.js';

/** One write of a transaction. `entry` is absent for a removal, `previous` for a creation. */
export interface AppliedWrite {
  readonly key: Key;
  readonly revision: Revision;
  readonly entry: Entry | undefined;
  readonly previous: Entry | undefined;
}

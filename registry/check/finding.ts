import type { Key } from '../../storage/key.js';

/** What a check of the store found. */
export interface Finding {
  /** What was checked. */
  readonly area: 'object' | 'schema' | 'unique' | 'reference' | 'owner' | 'revision' | 'counter';
  readonly key?: Key;
  readonly message: string;
  /** Not wrong: a running server does something about it. */
  readonly isNote?: boolean;
}

import type { Key } from '../../storage/key.js';

/** A problem that a check of the store found. */
export interface Finding {
  /** What was checked. */
  readonly area: 'object' | 'schema' | 'unique' | 'reference' | 'owner' | 'revision' | 'counter' | 'file' | 'bytes';
  readonly key?: Key;
  readonly message: string;
  /** It is not an error. A running server deals with it. */
  readonly isNote?: boolean;
}

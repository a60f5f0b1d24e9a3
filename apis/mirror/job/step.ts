import type { MirrorSpec } from '../mirror/schema.js';
import type { Memory } from './memory.js';
import type { Queue } from './queue.js';
import type { Key } from './resources.js';
import type { Source } from './source.js';
import type { Target } from './target.js';
import type { There } from './there.js';

/** What the steps of one look share: the state here, what is known of the state there, and the way to it. */
export interface Step {
  readonly source: Source;
  readonly target: Target;
  readonly memory: Memory;
  readonly there: There;
  readonly queue: Queue;
  readonly spec: MirrorSpec;
  /** What versions of dashboards say about the change. */
  readonly message: string;
  /** Stores that something is begun, before it is sent. What comes of it may never be known. */
  readonly begin: (key: Key, folder?: string) => Promise<void>;
}

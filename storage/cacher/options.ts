import type { DefinedResources } from '../state/definitions.js';
import type { ResourceDefinition } from '../state/resource.js';
import type { TableFolder } from '../tables/folder/folder.js';
import type { RingLimits } from './ring.js';

export interface CacherOptions {
  readonly definitions: readonly ResourceDefinition[];
  /** The resources that objects define. Without it, there are none. */
  readonly defined?: DefinedResources | undefined;
  readonly ringLimits?: RingLimits;
  /** The most bytes that recent changes keep alive. */
  readonly recentBytes?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Where objects are kept. Without it, they are in memory. */
  readonly folder?: TableFolder | undefined;
  /** Called when the files of the objects were made again from the store, with the reason. */
  readonly onRefill?: ((why: string) => void) | undefined;
  /** Called when following the log fails. It is then retried. */
  readonly onError?: (error: unknown) => void;
}

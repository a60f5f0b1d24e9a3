import type { Kind } from './kind.js';

/** How much of the past is kept: the settings of `[history]`. */
export interface Retention {
  /** The number of earlier versions of an object. */
  readonly versions: number;
  /** Milliseconds for which deleted objects can come back. 0: there is no trash. */
  readonly trash: number;
  /** A larger deletion is not kept in the trash. */
  readonly maxObjects: number;
  /** The same, in bytes. */
  readonly maxBytes: number;
}

export const DEFAULT_RETENTION: Retention = {
  versions: 20,
  trash: 30 * 86_400_000,
  maxObjects: 10_000,
  maxBytes: 32 * 2 ** 20,
};

/** The number of earlier versions that are kept of an object of this kind. */
export function keptVersions({ versions }: Retention, { history }: Pick<Kind, 'history'>): number {
  return history === undefined ? 0 : Math.min(versions, history.versions ?? versions);
}

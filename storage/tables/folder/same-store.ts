import type { Backend } from '../../backend.js';
import type { CheckpointPosition } from './checkpoint.js';

/**
 * Whether the tables belong to this store. A log has a commit only after the commits that were before it, so the last
 * one tells for all. If the log was set back, or has gone another way since, it does not have that commit there,
 * whoever has written.
 */
export async function isSameStore(backend: Backend, { newest, commit }: CheckpointPosition): Promise<boolean> {
  // Empty tables belong to every store whose log begins there.
  if (newest === 0) return true;
  return commit !== undefined && (await backend.commitAt(newest)) === commit;
}

import type { Space } from '../../space.js';
import type { Database } from '../connection/database.js';

/**
 * The bytes of the documents of the log, before MongoDB compresses them. It counts them itself, so nothing is read. Its
 * command `collStats` tells the same, but collects so much else that it takes as long as several commits.
 */
export async function logBytes(database: Database): Promise<number> {
  const sizes = await Promise.all([database.changes, database.staged].map((one) => database.sizeOf(one)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * The disk of the primary. Some hosted databases do not tell it. Blocks that no document has any more are used again.
 */
export async function spaceOf(database: Database): Promise<Space | undefined> {
  const { fsTotalSize: total, fsUsedSize: used, freeStorageSize = 0 } = await database.stats();
  if (typeof total !== 'number' || typeof used !== 'number' || total === 0) return undefined;
  return { free: total - used, reusable: Number(freeStorageSize), total };
}

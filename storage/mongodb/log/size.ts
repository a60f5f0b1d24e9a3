import type { Document } from 'mongodb';
import type { Space } from '../../space.js';
import type { Database } from '../connection/database.js';

/** The bytes of the documents of the log, before MongoDB compresses them. It counts them itself, so nothing is read. */
export async function logBytes(database: Database): Promise<number> {
  const sizes = await Promise.all([database.changes, database.staged].map((one) => sizeOf(one)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeOf(collection: {
  aggregate(pipeline: Document[]): { toArray(): Promise<Document[]> };
}): Promise<number> {
  const [found] = await collection.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
  return Number(found?.['storageStats']?.size ?? 0);
}

/**
 * The disk of the primary. Some hosted databases do not tell it. Blocks that no document has any more are used again.
 */
export async function spaceOf(database: Database): Promise<Space | undefined> {
  const { fsTotalSize: total, fsUsedSize: used, freeStorageSize = 0 } = await database.stats();
  if (typeof total !== 'number' || typeof used !== 'number' || total === 0) return undefined;
  return { free: total - used, reusable: Number(freeStorageSize), total };
}

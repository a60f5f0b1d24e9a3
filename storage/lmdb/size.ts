import { diskOf } from '../disk.js';
import type { Space } from '../space.js';
import type { LmdbTables } from './tables.js';

/** The numbers of mdb_stat, as lmdb-js gives them. */
interface Pages {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}
interface Stats extends Pages {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly lastTxnId: number;
  readonly root: Pages;
  readonly free: Pages;
}

/** Two pages at the beginning of the file name its roots. */
const META_PAGES = 2;

function statsOf(table: { getStats(): object }): Stats {
  return table.getStats() as Stats;
}

function pagesOf({ treeBranchPageCount, treeLeafPageCount, overflowPages }: Pages): number {
  return treeBranchPageCount + treeLeafPageCount + overflowPages;
}

/** The bytes of the pages that the log has. LMDB counts them, so nothing is read. */
export function logBytes({ log }: LmdbTables): number {
  const stats = statsOf(log);
  return pagesOf(stats) * stats.pageSize;
}

/** The disk of the folder. The pages of the file that no table has are used again by later commits. */
export function spaceOf(tables: LmdbTables, path: string): Space {
  const { meta, objects, log, counters } = tables;
  const env = statsOf(meta);
  let usedPages = META_PAGES + pagesOf(env.root) + pagesOf(env.free);
  for (const table of [meta, objects, log, counters]) usedPages += pagesOf(statsOf(table));
  const reusable = Math.max(0, env.lastPageNumber + 1 - usedPages) * env.pageSize;
  return { ...diskOf(path), reusable };
}

/** A reader that lags behind by more transactions reads for longer than a turn of the event loop. */
const LAG = 16;

/**
 * The bytes of the file that the next commits can use again. 0 if somebody, such as a backup, still reads an earlier
 * state: then LMDB keeps the pages that were freed since.
 */
export function usableOf(tables: LmdbTables, path: string): number {
  // A process that was killed reads no more. lmdb-js looks for those only every ten minutes.
  tables.root.readerCheck();
  const { lastTxnId } = statsOf(tables.meta);
  return lastTxnId - oldestOf(tables.root.readerList()) > LAG ? 0 : spaceOf(tables, path).reusable;
}

/**
 * The oldest transaction in the table of readers, whose lines end with it. Those that read nothing now have a dash
 * there.
 */
function oldestOf(readers: string): number {
  return Math.min(...[...readers.matchAll(/ (\d+)$/gm)].map(([, transaction]) => Number(transaction)));
}

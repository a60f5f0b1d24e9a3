import { LRUCache } from 'lru-cache';
import type { Batch, Change, Put, Revision } from '../../backend.js';
import { ownChange } from '../../log/own-change.js';
import { type LinkedCommit, linksOf, searchableParts } from '../format/documents.js';

/** About what one server commits in a second, after which it is carried into the objects. */
const COUNT = 512;
const BYTES = 8 * 1024 * 1024;

/**
 * The last commits of this server that a majority has acknowledged. Neither a tail right before one of them nor the
 * materializer need read it from the database.
 */
export class RecentCommits {
  readonly #commits = new LRUCache<Revision, LinkedCommit>({ max: COUNT, maxSize: BYTES });

  add(after: Revision, batch: Batch): void {
    const bytes = batch.changes.reduce((sum, put) => sum + sizeOf(put), 0);
    if (bytes > BYTES || batch.changes.length === 0) return;
    const end = after + batch.changes.length;
    const links = linksOf(batch.commitId, batch.parent);
    const commit = { end, ...links, changes: batch.changes.map(kept), counters: new Map(batch.counters) };
    this.#commits.set(after, commit, { size: Math.max(1, bytes) });
  }

  /** The commit right after `position`. */
  after(position: Revision): LinkedCommit | undefined {
    // peek, not get: the oldest commit must be removed first, no matter how often it was read.
    return this.#commits.peek(position);
  }

  clear(): void {
    this.#commits.clear();
  }
}

/** What a document repeats of its object is kept, so that the materializer need not parse the value. */
function kept(put: Put): Put {
  return { ...ownChange(put), ...(put.object !== undefined && { object: searchableParts(put.object) }) };
}

export function sizeOf({ value, previous }: Change): number {
  return (value?.byteLength ?? 0) + (previous?.value.byteLength ?? 0);
}

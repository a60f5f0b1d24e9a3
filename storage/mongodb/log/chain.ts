import type { Revision } from '../../backend.js';
import type { Database } from '../connection/database.js';
import { fromOf } from '../format/documents.js';

/**
 * The id of the commit that ends at a revision. The next commit names it, so it is also known at the point of a
 * compaction. `undefined` if the log has no such commit any more, or never had.
 */
export function commitAt(database: Database, revision: Revision): Promise<string | undefined> {
  return database.read(async (session) => {
    const projection = { revision: 1, commit: 1, from: 1, parent: 1 } as const;
    const log = await database.logHead.findOne({ _id: 'log' }, { session, projection });
    if (log === null || log.revision <= revision) return log?.revision === revision ? log.commit : undefined;
    const inLog = { _id: { $gte: revision } };
    const options = { session, sort: { _id: 1 }, projection: { commit: 1, from: 1, parent: 1, end: 1 } } as const;
    const [first] = await database.changes.find(inLog, options).limit(1).toArray();
    // The last commit may have no document of its own.
    if (first === undefined) return log.from === revision + 1 ? log.parent : undefined;
    if (first._id === revision) return 'end' in first && first.end !== revision ? undefined : first.commit;
    return fromOf(first) === revision + 1 ? first.parent : undefined;
  });
}

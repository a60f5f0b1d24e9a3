import type { Database } from '../connection/database.js';
import { refuseUsed } from '../peers/used.js';
import { FORMAT, HEADS_APART, WITH_OBJECTS, WITH_ROWS } from './format.js';

const FORMER_HEADS: { readonly _id: { readonly $in: ('log' | 'compaction')[] } } = {
  _id: { $in: ['log', 'compaction'] },
};

/**
 * Brings a database of format 1 to format 3: moves the documents of the log and of the compaction into the collection
 * of the changes. Servers of format 1 could not write to it any more, so it is refused while a server runs. Several
 * servers may call this at once.
 */
export async function moveHeads(database: Database, name: string): Promise<void> {
  await refuseUsed(database, name);
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      const former = { _id: 'domain', format: HEADS_APART } as const;
      const found = await database.domain.findOneAndUpdate(former, { $set: { format: 3 } }, { session });
      if (found === null) return;
      const heads = await database.formerHeads.find(FORMER_HEADS, { session }).toArray();
      await database.formerHeads.deleteMany(FORMER_HEADS, { session });
      for (const { _id, ...rest } of heads) await database.heads.insertOne({ _id, ...rest }, { session });
    }),
  );
}

/**
 * Brings a database of formats 2 and 3 to format 4: removes the index rows and counts. Servers of these formats need
 * them, so it is refused while a server runs, and such servers are refused from then on. Several servers may call this
 * at once.
 */
export async function dropRows(database: Database, name: string): Promise<void> {
  await refuseUsedBy(database, name, WITH_ROWS);
  await removeRows(database);
}

async function removeRows(database: Database): Promise<void> {
  await database.domain.updateOne(
    { _id: 'domain', format: { $in: [...WITH_ROWS] } },
    { $set: { format: WITH_OBJECTS } },
  );
  await database.logHead.updateOne({ _id: 'log' }, { $unset: { changes: '', indexed: '' } });
  const names = await database.collections();
  await database.drop(names.filter((one) => one.endsWith(':rows') || one.endsWith(':counts')));
}

/**
 * Brings a database of format 4 to this format: notes that its objects have all of the log. Servers of format 4 would
 * take the objects to be as new as the log, so it is refused while a server runs, and such servers are refused from
 * then on. Several servers may call this at once.
 */
export async function noteStored(database: Database, name: string): Promise<void> {
  await refuseUsedBy(database, name, [WITH_OBJECTS]);
  await note(database);
}

/**
 * Does all this for a copy of formats 2 to 4 that was restored under servers of this version. They have the database
 * open, so no server of these formats has. Does nothing to a database of this format.
 */
export async function upgradeRestored(database: Database): Promise<void> {
  const found = await database.domain.findOne({ _id: 'domain' });
  if (found !== null && WITH_ROWS.includes(found.format)) await removeRows(database);
  await note(database);
}

async function note(database: Database): Promise<void> {
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      const former = { _id: 'domain', format: WITH_OBJECTS } as const;
      const found = await database.domain.findOneAndUpdate(former, { $set: { format: FORMAT } }, { session });
      if (found === null) return;
      const log = await database.logHead.findOne({ _id: 'log' }, { session });
      if (log === null) throw new Error('The document `log` is missing.');
      await database.objectsHead.replaceOne({ _id: 'objects' }, { revision: log.revision }, { upsert: true, session });
    }),
  );
}

/**
 * Throws `refused` if a server has a database of one of these formats open. Another server of this version may have
 * been faster: it runs, but has changed the format.
 */
async function refuseUsedBy(database: Database, name: string, formats: readonly unknown[]): Promise<void> {
  await refuseUsed(database, name).catch(async (error: unknown) => {
    if (formats.includes((await database.domain.findOne({ _id: 'domain' }))?.format)) throw error;
  });
}

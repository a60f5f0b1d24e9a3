import { type Database, HEADS } from './database.js';
import { FORMAT, HEADS_APART, WITH_ROWS } from './format.js';
import { refuseUsed } from './used.js';

/**
 * Brings a database of format 1 to this format: moves the documents of the log and of the compaction into the collection of the changes. Servers of format 1
 * could not write to it any more, so it is refused while a server runs. Several servers may call this at once.
 */
export async function moveHeads(database: Database, name: string): Promise<void> {
  await refuseUsed(database, name);
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      const former = { _id: 'domain', format: HEADS_APART } as const;
      const found = await database.domain.findOneAndUpdate(former, { $set: { format: FORMAT } }, { session });
      if (found === null) return;
      const heads = await database.formerHeads.find(HEADS, { session }).toArray();
      await database.formerHeads.deleteMany(HEADS, { session });
      for (const { _id, ...rest } of heads) await database.heads.insertOne({ _id, ...rest }, { session });
    }),
  );
}

/**
 * Brings a database of formats 2 and 3 to this format: removes the index rows and counts. Servers of these formats need them, so it is refused while a server
 * runs, and such servers are refused from then on. Several servers may call this at once.
 */
export async function dropRows(database: Database, name: string): Promise<void> {
  await refuseUsed(database, name).catch(async (error: unknown) => {
    // Another server of this version may have been faster, and runs.
    if ((await database.domain.findOne({ _id: 'domain' }))?.format !== FORMAT) throw error;
  });
  await database.domain.updateOne({ _id: 'domain', format: { $in: [...WITH_ROWS] } }, { $set: { format: FORMAT } });
  await database.log.updateOne({ _id: 'log' }, { $unset: { changes: '', indexed: '' } });
  const names = await database.collections();
  await database.drop(names.filter((one) => one.endsWith(':rows') || one.endsWith(':counts')));
}

import { type Database, HEADS } from './database.js';
import { FORMAT, HEADS_APART } from './format.js';
import { refuseUsed } from './used.js';

/**
 * Brings a database from format 1 to 2: moves the documents of the log and of the compaction into the collection of the changes. Servers of an earlier
 * version could not write to it any more, so it is refused while one runs. Several servers may call this at once.
 */
export async function moveHeads(database: Database, name: string): Promise<void> {
  await refuseUsed(database, name);
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      const mark = { $set: { format: FORMAT } };
      const found = await database.domain.findOneAndUpdate({ _id: 'domain', format: HEADS_APART }, mark, { session });
      if (found === null) return;
      const heads = await database.formerHeads.find(HEADS, { session }).toArray();
      await database.formerHeads.deleteMany(HEADS, { session });
      for (const { _id, ...rest } of heads) await database.heads.insertOne({ _id, ...rest }, { session });
    }),
  );
}

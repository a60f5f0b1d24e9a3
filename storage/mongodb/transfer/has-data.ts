import type { Database } from '../connection/database.js';
import type { MongodbOptions } from '../connection/options.js';
import type { DomainDocument } from '../format/documents.js';
import { refused } from '../format/format.js';
import { connected } from '../open.js';

/**
 * The record of the format of the data. Throws `refused` if there is none, because then no server has ever used the
 * database.
 */
export async function presentFormat(database: Database, name: string): Promise<DomainDocument> {
  const found = await database.domain.findOne({ _id: 'domain' });
  if (found === null) throw refused(`There is no data in the database ${name}. Name the database of a server.`);
  return found;
}

/** Throws `refused` if the database has no data. It writes nothing. */
export async function checkHasData(options: Pick<MongodbOptions, 'uri' | 'database'>): Promise<void> {
  const database = await connected(options, async (opened) => {
    await presentFormat(opened, options.database);
  });
  await database.client.close();
}

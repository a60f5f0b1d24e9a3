import type { Database } from '../connection/database.js';
import type { MongodbOptions } from '../connection/options.js';
import type { DomainDocument } from './documents.js';
import { refused } from './format.js';

/**
 * Throws `refused` if the database has no data, and the one that an earlier version used for the same settings has data
 * of this domain. Otherwise the server would begin anew, and nobody would know where the data is.
 */
export async function refuseInsteadOf(
  { client, domain: own }: Database,
  { database: name, former, domain }: Pick<MongodbOptions, 'database' | 'former' | 'domain'>,
): Promise<void> {
  if (former === undefined || former === name || (await own.findOne({ _id: 'domain' })) !== null) return;
  const records = client.db(former).collection<DomainDocument>('log');
  // A user who may not read it has not used it.
  const found = await records.findOne({ _id: 'domain' }).catch(() => null);
  if (found?.domain !== domain) return;
  throw refused(
    `storage.mongodb_uri names the database ${name}, which has no data, but the database ${former} has data of ${domain}. ` +
      'Earlier versions did not use the name in the URI. ' +
      `Set storage.mongodb_database to ${former} to use that data, or to ${name} to begin without it.`,
  );
}

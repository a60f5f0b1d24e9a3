import type { Database } from '../connection/database.js';
import { refused } from '../format/format.js';

const ALIVE = 10_000;
const IS_ALIVE = { $expr: { $gt: ['$heartbeat', { $subtract: ['$$NOW', ALIVE] }] } };

/** Throws `refused` if a server has the database open. */
export async function refuseUsed(database: Database, name: string): Promise<void> {
  if ((await database.servers.findOne(IS_ALIVE)) === null) return;
  throw refused(`A server uses the database ${name}. Stop it, wait ten seconds, and run the command again.`);
}

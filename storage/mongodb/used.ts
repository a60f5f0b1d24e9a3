import type { Database } from './database.js';
import { refused } from './format.js';

const ALIVE = 10_000;

/** Throws `refused` if a server has the database open. */
export async function refuseUsed(database: Database, name: string): Promise<void> {
  const alive = { $expr: { $gt: ['$heartbeat', { $subtract: ['$$NOW', ALIVE] }] } };
  if ((await database.servers.findOne(alive)) === null) return;
  throw refused(`A server uses the database ${name}. Stop it, wait ten seconds, and run the command again.`);
}

import type { Database } from './database.js';
import { FORMAT, refused } from './format.js';

const ALIVE = 10_000;
const IS_ALIVE = { $expr: { $gt: ['$heartbeat', { $subtract: ['$$NOW', ALIVE] }] } };

/** Throws `refused` if a server has the database open. */
export async function refuseUsed(database: Database, name: string): Promise<void> {
  if ((await database.servers.findOne(IS_ALIVE)) === null) return;
  throw refused(`A server uses the database ${name}. Stop it, wait ten seconds, and run the command again.`);
}

/** Whether a server of an earlier format runs. Those of formats 1 and 2 do not tell their format. */
export async function runsFormer(database: Database): Promise<boolean> {
  return (await database.servers.findOne({ format: { $not: { $gte: FORMAT } }, ...IS_ALIVE })) !== null;
}

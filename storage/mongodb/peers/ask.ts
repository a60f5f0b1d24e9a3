import { randomUUID } from 'node:crypto';
import type { Database } from '../connection/database.js';

/** Milliseconds after which the request is of no use. */
const ASKING = 1000;

/** Tells all servers that this one should append next. This is only a hint, so errors are ignored. */
export async function askForTurn(database: Database, server: string): Promise<void> {
  const asked = `${server} ${randomUUID()}`;
  await database.logHead
    .updateOne({ _id: 'log' }, { $set: { asked } }, { writeConcern: { w: 1 }, maxTimeMS: ASKING })
    .catch(() => undefined);
}

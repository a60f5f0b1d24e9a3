import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { MongodMissing } from './find.js';
import { type ReplicaSet, startReplicaSet } from './replica-set.js';

/** One replica set of one member for the whole mocha process. It starts on first use and stops after the last test. */
let shared: Promise<ReplicaSet> | undefined;
/** The databases of this process. */
const made: string[] = [];

after(async function () {
  this.timeout(60_000);
  const set = await shared?.catch(() => undefined);
  // Mocha may run more than once in a process.
  shared = undefined;
  await set?.stop();
  await dropAll(made.splice(0));
});

/** Others use a given MongoDB afterwards, and its open files are few. */
async function dropAll(databases: readonly string[]): Promise<void> {
  const given = process.env['MONGODB_URI'];
  if (!given || databases.length === 0) return;
  const client = new MongoClient(given);
  try {
    for (const database of databases) await client.db(database).dropDatabase();
  } finally {
    await client.close();
  }
}

/** The URI of a MongoDB for tests: `$MONGODB_URI`, or the shared set. Skips the tests if there is no mongod. */
export async function sharedMongodb(context: Mocha.Context): Promise<string> {
  const given = process.env['MONGODB_URI'];
  if (given) return given;
  shared ??= startReplicaSet({ members: 1 });
  return (await orSkip(context, shared)).uri;
}

/** A replica set that the test may kill. It is never `$MONGODB_URI`. */
export async function ownReplicaSet(context: Mocha.Context, members: 1 | 3): Promise<ReplicaSet> {
  return orSkip(context, startReplicaSet({ members }));
}

/** A database name that no other suite has. A given MongoDB loses the database when the process ends. */
export function freshDatabase(): string {
  const name = `test-${randomBytes(6).toString('hex')}`;
  made.push(name);
  return name;
}

/** Without a mongod, the tests are skipped, and the output says why. With CI=true they fail. */
export async function orSkip<T>(context: Mocha.Context, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof MongodMissing) || process.env['CI'] === 'true') throw error;
    process.stdout.write(`    skipped: ${error.message}\n`);
    return context.skip() as never;
  }
}

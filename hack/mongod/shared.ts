import { randomBytes } from 'node:crypto';
import { MongodMissing } from './find.js';
import { type ReplicaSet, startReplicaSet } from './replica-set.js';

/** One replica set of one member for the whole mocha process: started when first asked for, stopped after the last test. */
let shared: Promise<ReplicaSet> | undefined;

after(async function () {
  this.timeout(30_000);
  const set = await shared?.catch(() => undefined);
  await set?.stop();
});

/** A MongoDB for tests: `$MONGODB_URI` if it is set, else the shared one-member set. Skips the tests where there is none. */
export async function sharedMongodb(context: Mocha.Context): Promise<string> {
  const given = process.env['MONGODB_URI'];
  if (given) return given;
  shared ??= startReplicaSet({ members: 1 });
  return (await orSkip(context, shared)).uri;
}

/** A replica set of the test's own, to be harmed. Never `$MONGODB_URI`: nobody's database is killed. */
export async function ownReplicaSet(context: Mocha.Context, members: 1 | 3): Promise<ReplicaSet> {
  return orSkip(context, startReplicaSet({ members }));
}

/** A database name no other suite has. */
export function freshDatabase(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}

/** Without a mongod tests are skipped and say why; under CI=true that is a failure. */
export async function orSkip<T>(context: Mocha.Context, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof MongodMissing) || process.env['CI'] === 'true') throw error;
    process.stdout.write(`    skipped: ${error.message}\n`);
    return context.skip() as never;
  }
}

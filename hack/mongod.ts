import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { MongodMissing } from './mongod/find.js';
import { startReplicaSet } from './mongod/replica-set.js';

export { findMongod, MongodMissing } from './mongod/find.js';
export type { Member } from './mongod/member.js';
export { type ReplicaSet, startReplicaSet } from './mongod/replica-set.js';

/**
 * `npx tsx hack/mongod.ts [--members=3]` runs a replica set to try the server with, until Ctrl-C. It prints the URI on
 * standard output.
 */
async function main(): Promise<void> {
  const given = process.env['MONGODB_URI'];
  if (given) {
    process.stdout.write(`${given}\n`);
    return;
  }
  const ending = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const set = await startReplicaSet({ members: process.argv.includes('--members=3') ? 3 : 1 });
  process.stdout.write(`${set.uri}\n`);
  process.stderr.write(
    `A MongoDB replica set runs in a temporary folder until Ctrl-C. Its data is then deleted. To use it:\n  npm start -- --storage.backend=mongodb --storage.mongodb_uri='${set.uri}'\n`,
  );
  const awake = setInterval(() => undefined, 60_000);
  await ending;
  clearInterval(awake);
  await set.stop();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main().catch((error: unknown) => {
    if (!(error instanceof MongodMissing)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ReplicaSet } from '../../../hack/mongod/replica-set.js';
import { freshDatabase, ownReplicaSet } from '../../../hack/mongod/shared.js';
import { openMongodb } from '../../../storage/mongodb/open.js';
import { eventually, follow, Ledger } from './ledger.js';

const ROUNDS = 4;

describe('MongoDB with a primary that is killed', function () {
  this.timeout(180_000);
  let set: ReplicaSet;
  before(async function () {
    set = await ownReplicaSet(this, 3);
  });
  after(() => set?.stop());

  it('keeps all acknowledged commits whole, and its tails resume without a gap', async () => {
    const options = { uri: set.uri, database: freshDatabase(), domain: 'svc.app' };
    const servers = await Promise.all([openMongodb(options), openMongodb(options)]);
    const tails = servers.map(follow);
    const ledgers = [0, 0, 1].map((server) => new Ledger(servers[server]!));
    const stop = new AbortController();
    const writing = ledgers.map(async (ledger) => {
      while (!stop.signal.aborted) await ledger.append();
    });
    const acknowledged = () => ledgers.reduce((sum, ledger) => sum + ledger.count('acknowledged'), 0);
    const outages: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = acknowledged();
      await eventually(async () => (acknowledged() >= quiet + 30 ? true : undefined));
      const primary = await set.primary();
      const killed = primary.kill9();
      const begun = Date.now();
      await killed;
      await sleep(50);
      const lost = acknowledged();
      await eventually(async () => (acknowledged() > lost ? true : undefined));
      outages.push(Date.now() - begun);
      await primary.restart();
    }
    stop.abort();
    await Promise.all(writing);
    const end = await servers[1]!.end();
    await Promise.all(tails.map((tail) => tail.until(end)));
    const found = tails.map((tail) => tail.found);
    console.log(
      `      kill -9 of the primary ${ROUNDS} times; the next append is acknowledged after ${outages.join(', ')} ms`,
    );
    for (const ledger of ledgers) console.log(`      ${await ledger.check(servers[1]!, found)}`);
    expect(found[0]).to.have.length(end / 2);
    await Promise.all(servers.map((server) => server.close()));
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ask } from '../../../hack/mongod/member.js';
import type { ReplicaSet } from '../../../hack/mongod/replica-set.js';
import { freshDatabase, ownReplicaSet } from '../../../hack/mongod/shared.js';
import type { Backend } from '../../../storage/backend.js';
import { DatabaseMonitor } from '../../../storage/mongodb/connection/monitor.js';
import { openMongodb } from '../../../storage/mongodb/open.js';
import { eventually } from './ledger.js';

const TIMEOUTS = { selection: 500, answer: 1000, settle: 1500 };

describe('the log and the metrics of a server whose MongoDB fails', function () {
  this.timeout(180_000);
  let set: ReplicaSet;
  let lines: string[];
  let monitor: DatabaseMonitor;
  let backend: Backend;
  before(async function () {
    set = await ownReplicaSet(this, 3);
  });
  after(() => set?.stop());
  beforeEach(async () => {
    lines = [];
    const line = (message: string) => void lines.push(message);
    monitor = new DatabaseMonitor({ info: line, warn: line });
    backend = await openMongodb({
      uri: set.uri,
      database: freshDatabase(),
      domain: 'svc.app',
      timeouts: TIMEOUTS,
      monitor,
    });
  });
  afterEach(async () => {
    await backend.close();
    expect(monitor.connections).to.include({ open: 0, used: 0, waiting: 0 });
  });

  const counter = (n: number) => ({ commitId: `c${n}`, changes: [], counters: new Map([['c', n]]) });
  const count = (text: string): number => lines.filter((line) => line.includes(text)).length;

  it('say which set, primary and database the server uses', async () => {
    const primary = await set.primary();
    const name = `127.0.0.1:${primary.port}`;
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/uses the database test-\w+ of MongoDB \d+\.\d+\.\d+ in the replica set rs \(127/);
    expect(lines[0]).to.include(`The primary is ${name}.`);
    expect(monitor.isUp).to.equal(true);
    expect(monitor.connections.open).to.be.above(0);
    expect(Math.abs(monitor.clockOffset)).to.be.below(5000);
  });

  it('name the new primary after a failover', async () => {
    const former = await set.primary();
    await ask(former.port, { replSetStepDown: 10, force: true }).catch(() => undefined);
    await eventually(async () => (count('The primary of the database is') > 0 ? true : undefined));
    const now = await set.primary();
    expect(lines.findLast((line) => line.includes('The primary of'))).to.include(`127.0.0.1:${now.port} now`);
    await eventually(async () => (monitor.isUp ? true : undefined));
  });

  it('have one line for an outage and one for its end, however many calls fail', async () => {
    // Without a majority, there is no primary.
    const primary = await set.primary();
    const others = set.members.filter((member) => member !== primary);
    for (const member of others) member.pause();
    await eventually(async () => {
      const calls = [backend.end(), backend.counters(), backend.append(0, counter(1))];
      await Promise.allSettled(calls);
      return monitor.isUp ? undefined : true;
    });
    await sleep(2000);
    expect([count('The database is away.'), count('The database is back')]).to.deep.equal([1, 0]);
    for (const member of others) member.resume();
    await eventually(async () => (monitor.isUp ? true : undefined));
    await eventually(() => backend.end().catch(() => undefined));
    expect([count('The database is away.'), count('The database is back')]).to.deep.equal([1, 1]);
    expect(lines.find((line) => line.includes('is back'))).to.match(/after \d+\.\d s\. \d+ calls to it failed/);
  });

  it('show an outage of a server that nobody asks anything', async () => {
    for (const member of set.members) member.pause();
    await eventually(async () => (monitor.isUp ? undefined : true));
    for (const member of set.members) member.resume();
    await eventually(async () => (monitor.isUp ? true : undefined));
    expect(count('The database is away.')).to.be.above(0);
    expect(count('The database is back')).to.equal(count('The database is away.'));
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ReplicaSet } from '../../../hack/mongod/replica-set.js';
import { freshDatabase, ownReplicaSet } from '../../../hack/mongod/shared.js';
import type { Backend } from '../../../storage/backend.js';
import { openMongodb } from '../../../storage/mongodb/open.js';
import { type Mode, startProxy, type TcpProxy } from '../proxy.js';
import { eventually, follow, Ledger } from './ledger.js';

/**
 * Milliseconds to determine the outcome of a commit. PATIENT is longer than all faults of these tests, and HASTY is
 * shorter than some.
 */
const [PATIENT, HASTY] = [30_000, 4000];

describe('MongoDB with lost connections', function () {
  this.timeout(120_000);
  let set: ReplicaSet;
  let proxy: TcpProxy;
  let database: string;
  let server: Backend | undefined;
  let truth: Backend;

  before(async function () {
    set = await ownReplicaSet(this, 1);
  });
  after(() => set?.stop());

  beforeEach(async () => {
    database = freshDatabase();
    proxy = await startProxy(set.members[0]!.port);
    truth = await openMongodb({ uri: set.uri, database, domain: 'svc.app' });
  });
  afterEach(async () => {
    proxy.set('forward');
    await Promise.all([server?.close(), truth.close()]);
    server = undefined;
    await proxy.close();
  });

  async function open(settle: number): Promise<Backend> {
    const uri = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;
    const timeouts = { selection: 400, answer: 1000, settle };
    server = await openMongodb({ uri, database, domain: 'svc.app', timeouts });
    return server;
  }

  /** The outcome of an append whose commit request meets the fault. Retries of the driver meet it too. */
  async function appendWith(ledger: Ledger, mode: Mode, heal: () => void): Promise<unknown> {
    let isMet = false;
    const forget = proxy.before('elsewhere', () => {
      // The command is sent again, after the fault.
      if (isMet) return;
      isMet = true;
      proxy.set(mode);
      heal();
    });
    let outcome: unknown;
    while (!isMet) outcome = await ledger.append();
    forget();
    return outcome;
  }
  const never = (): void => undefined;

  async function appendWithBriefly(ledger: Ledger, mode: Mode, milliseconds: number): Promise<unknown> {
    const healed: Promise<void>[] = [];
    const outcome = await appendWith(ledger, mode, () => {
      healed.push(sleep(milliseconds).then(() => proxy.set('forward')));
    });
    await Promise.all(healed);
    return outcome;
  }

  it('determines that a commit took place if its answer was lost', async () => {
    const ledger = new Ledger(await open(PATIENT));
    await ledger.acknowledge();
    expect(await appendWithBriefly(ledger, 'swallow-answers', 2500)).to.equal('acknowledged');
    await ledger.acknowledge();
    console.log(`      swallowed the answer to a commit: ${await ledger.check(truth)}`);
  });

  it('sends a commit again if its request was lost, and it takes place once', async () => {
    const ledger = new Ledger(await open(PATIENT));
    for (const mode of ['cut', 'stall'] as const) {
      await ledger.acknowledge();
      expect(await appendWithBriefly(ledger, mode, 3000)).to.equal('acknowledged');
      await ledger.acknowledge();
    }
    console.log(`      lost the request of a commit, by reset and by silence: ${await ledger.check(truth)}`);
  });

  it('reports unknown if it cannot determine the outcome in time, and determines it before the next write', async () => {
    const ledger = new Ledger(await open(HASTY));
    await ledger.acknowledge();
    expect(await appendWith(ledger, 'swallow-answers', never)).to.equal('unknown');
    expect(await ledger.append()).to.equal(undefined);
    proxy.set('forward');
    await ledger.acknowledge();
    expect((await truth.end()) / 2).to.equal(3);
    console.log(`      swallowed answers until the server gave up: ${await ledger.check(truth)}`);
  });

  it('reports correct outcomes while connections break at random, and its tail resumes without a gap', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    const random = generator(seed);
    const backend = await open(HASTY);
    const ledger = new Ledger(backend);
    const [own, other] = [follow(backend), follow(truth)];
    const faults: Record<string, number> = {};
    for (let i = 0; i < 12; i++) {
      for (let calm = 0; calm < 5; calm++) await eventually(() => ledger.append());
      const mode = (['cut', 'stall', 'swallow-answers'] as const)[Math.floor(random() * 3)] as Mode;
      faults[mode] = (faults[mode] ?? 0) + 1;
      const breaking = sleep(random() * 8).then(async () => {
        proxy.set(mode);
        await sleep(random() * 1500);
        proxy.set('forward');
      });
      await ledger.append();
      await breaking;
    }
    const end = await truth.end();
    await Promise.all([own.until(end), other.until(end)]);
    const checked = await ledger.check(truth, [own.found, other.found]);
    console.log(`      seed ${seed}, faults ${JSON.stringify(faults)}: ${checked}`);
  });
});

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

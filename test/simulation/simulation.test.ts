import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../e2e/process.js';
import { STORES } from '../harness/stores.js';
import { BUGS, type Bug } from './bugs.js';
import { runDefinitions } from './definitions/run-once.js';
import { runOnce } from './in-process.js';
import { type StoreName, type Stores, storesOf } from './stores.js';

const SERVERS: Readonly<Record<string, number>> = { memory: 3, lmdb: 1, mongodb: 2 };

for (const store of STORES) {
  describe(`random clients (${store})`, function () {
    this.timeout(120_000);
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    let stores: Stores | undefined;

    before(async () => {
      stores = await storesOf(store as StoreName);
    });

    after(() => stores?.close());

    it(`see one order of all changes, on slow and failing stores (SEED=${seed})`, async () => {
      if (stores === undefined) return;
      const chaos = { delay: 3, failures: 0.02 };
      const verdict = await runOnce(stores, { seed, seconds: 5, servers: SERVERS[store] ?? 1, chaos });
      console.log(`      operations: ${verdict.operations}, events: ${verdict.events}, watches: ${verdict.streams}`);
      expect(verdict.violations).to.deep.equal([]);
      expect(verdict.operations).to.be.greaterThan(50);
    });

    it(`see each state of a definition that changes, goes and comes back (SEED=${seed})`, async () => {
      if (stores === undefined) return;
      const verdict = await runDefinitions(stores, { seed, seconds: 3, servers: SERVERS[store] ?? 1 });
      console.log(`      operations: ${verdict.operations}, states of the definition: ${verdict.events}`);
      expect(verdict.violations).to.deep.equal([]);
      expect(verdict.events).to.be.greaterThan(3);
    });
  });
}

describe('random clients of a store that is set back again and again', function () {
  this.timeout(120_000);
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

  it(`see one order of all changes each time, and nothing of the former ones (SEED=${seed})`, async () => {
    const stores = await storesOf('memory');
    const chaos = { delay: 3, failures: 0.02 };
    const verdict = await runOnce(stores, { seed, seconds: 5, servers: 3, chaos, setsBack: true });
    await stores.close();
    console.log(`      operations: ${verdict.operations}, set back ${verdict.setBacks} times`);
    expect(verdict.violations).to.deep.equal([]);
    expect(verdict.setBacks).to.be.greaterThan(0);
    expect(verdict.operations).to.be.greaterThan(50);
  });
});

describe('the planted bugs of the simulation', () => {
  it('are at least 20, and all can be planted in the present sources', async () => {
    const isPlantable = async ({ file, find }: Bug): Promise<boolean> =>
      (await readFile(join(ROOT, file), 'utf8')).split(find).length === 2;
    const plantable = await Promise.all(BUGS.map(isPlantable));
    expect(BUGS.filter((_, i) => !plantable[i]).map(({ name }) => name)).to.deep.equal([]);
    expect(BUGS.length).to.be.at.least(20);
  });
});

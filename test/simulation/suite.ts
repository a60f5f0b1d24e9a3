import { expect } from 'chai';
import type { Verdict } from './check.js';
import { runDefinitions } from './definitions/run-once.js';
import { runOnce } from './in-process.js';
import { type StoreName, type Stores, storesOf } from './stores.js';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
export const CHAOS = { delay: 3, failures: 0.02 };

/** A suite with stores that are opened before it. */
export function describeStores(title: string, store: StoreName, suite: (stores: () => Stores) => void): void {
  describe(title, function () {
    this.timeout(120_000);
    let stores: Stores | undefined;
    before(async () => {
      stores = await storesOf(store);
    });
    after(() => stores?.close());
    suite(() => {
      if (stores === undefined) throw new Error('the stores are not open yet');
      return stores;
    });
  });
}

/** Runs the simulation once, and prints how much it did. The title names the seed, with which it can be run again. */
export function itFinds(title: string, run: (seed: number) => Promise<Verdict>, enough: (verdict: Verdict) => void) {
  it(`${title} (SEED=${SEED})`, async () => {
    const verdict = await run(SEED);
    const { operations, events, streams, setBacks } = verdict;
    console.log(`      operations: ${operations}, events: ${events}, watches: ${streams}, set back: ${setBacks} times`);
    expect(verdict.violations).to.deep.equal([]);
    enough(verdict);
  });
}

/** The suite of a store: random clients, and clients of a definition that changes. */
export function describeRandomClients(store: StoreName, servers: number): void {
  describeStores(`random clients (${store})`, store, (stores) => {
    itFinds(
      'see one order of all changes, on slow and failing stores',
      (seed) => runOnce(stores(), { seed, seconds: 5, servers, chaos: CHAOS }),
      ({ operations }) => expect(operations).to.be.greaterThan(50),
    );
    itFinds(
      'see each state of a definition that changes, goes and comes back',
      (seed) => runDefinitions(stores(), { seed, seconds: 3, servers }),
      ({ events }) => expect(events).to.be.greaterThan(3),
    );
  });
}

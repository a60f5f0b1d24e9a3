import { expect } from 'chai';
import { runOnce } from './in-process.js';
import { CHAOS, describeRandomClients, describeStores, itFinds } from './suite.js';

// Seconds on the fastest store find most planted bugs (README.md), so `npm test` runs this file. The others of this
// folder need a database or minutes.
describeRandomClients('memory', 3);

describeStores('few random clients (memory)', 'memory', (stores) => {
  itFinds(
    'see what other servers acknowledged, on a store that is slow to tell',
    (seed) => runOnce(stores(), { seed, seconds: 3, servers: 3, clients: 1, chaos: { ...CHAOS, delay: 20 } }),
    ({ operations }) => expect(operations).to.be.greaterThan(20),
  );
});

describeStores('random clients of a store that is set back again and again', 'memory', (stores) => {
  itFinds(
    'see one order of all changes each time, and nothing of the former ones',
    (seed) => runOnce(stores(), { seed, seconds: 5, servers: 3, chaos: CHAOS, setsBack: true }),
    ({ operations, setBacks }) => {
      expect(setBacks).to.be.greaterThan(0);
      expect(operations).to.be.greaterThan(50);
    },
  );
});

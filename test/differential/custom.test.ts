import { expect } from 'chai';
import { GoMissing } from '../../hack/go-programs.js';
import { oneStore } from '../harness/stores.js';
import { compareSeeds, differs } from './custom/runner.js';
import { openEmptyPeer, type Peer, senderTo } from './peer.js';
import { PLANTED, withPlanted } from './planted.js';
import { type Pair, tally } from './runner.js';

/**
 * By hand, more can be compared: REQUESTS=100000 SEED=7. One difference in some 30,000 requests is not decided by `known.ts`: Kubernetes stores an object again
 * that a patch does not change, and so loses the fields that the version of the patch does not have.
 */
const REQUESTS = Number(process.env['REQUESTS'] ?? 3000);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

oneStore('definitions and their objects beside the server of Kubernetes', (server) => {
  let peer: Peer | undefined;
  let pair: Pair;

  before(async function () {
    this.timeout(20 * 60_000);
    try {
      peer = await openEmptyPeer();
    } catch (error) {
      if (process.env['CI'] !== undefined || !(error instanceof GoMissing)) throw error;
      this.skip();
    }
    pair = { ours: senderTo(server()), theirs: peer.send };
  });

  after(() => peer?.stop());

  it(`answers ${REQUESTS} random requests as that does, but for differences that are known (SEED=${SEED})`, async function () {
    this.timeout(REQUESTS * 100 + 60_000);
    const counts = tally();
    const found = await compareSeeds(pair, SEED, REQUESTS, counts);
    console.log(
      `      ${counts.requests} requests: ${shown(counts.methods)}; known differences: ${shown(counts.known)}`,
    );
    if (found.length > 0) throw new Error(found.join('\n\n'));
    expect(counts.requests).to.be.at.least(REQUESTS);
  });
  describe('finds', () => {
    for (const [what, plant] of Object.entries(PLANTED))
      it(`${what} that differs`, async function () {
        this.timeout(120_000);
        expect(await differs(withPlanted(pair, plant), SEED, 600)).to.equal(true);
      });
  });
});

const shown = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none';

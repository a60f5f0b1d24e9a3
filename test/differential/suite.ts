import { expect } from 'chai';
import { GoMissing } from '../../hack/go-programs.js';
import type { Server } from '../harness/server.js';
import { type Peer, senderTo } from './peer.js';
import { PLANTED, withPlanted } from './planted.js';
import { type Pair, type Tally, tally } from './runner.js';

/** Compares random requests from a seed on. */
export interface Comparison {
  /** Returns descriptions of the differences. */
  compareSeeds(pair: Pair, first: number, requests: number, counts: Tally): Promise<readonly string[]>;
  differs(pair: Pair, first: number, requests: number): Promise<boolean>;
}

/** Starts both servers. Skips the suite on a machine without Go, except in CI. */
export function usePair(server: () => Server, open: () => Promise<Peer>): () => Pair {
  let peer: Peer | undefined;
  let pair: Pair | undefined;
  before(async function start() {
    this.timeout(20 * 60_000);
    try {
      peer = await open();
    } catch (error) {
      if (process.env['CI'] !== undefined || !(error instanceof GoMissing)) throw error;
      this.skip();
    }
    pair = { ours: senderTo(server()), theirs: peer.send };
  });
  after(() => peer?.stop());
  return () => {
    if (pair === undefined) throw new Error('the servers are asked before they were started');
    return pair;
  };
}

export function itAnswersAlike(pair: () => Pair, { compareSeeds }: Comparison, requests: number, seed: number): void {
  it(`answers ${requests} random requests as that does, but for differences that are known (SEED=${seed})`, async function () {
    this.timeout(requests * 100 + 60_000);
    const counts = tally();
    const found = await compareSeeds(pair(), seed, requests, counts);
    console.log(
      `      ${counts.requests} requests: ${shown(counts.methods)}; known differences: ${shown(counts.known)}`,
    );
    if (found.length > 0) throw new Error(found.join('\n\n'));
    expect(counts.requests).to.be.at.least(requests);
  });
}

export function itFindsWhatIsPlanted(pair: () => Pair, { differs }: Comparison, seed: number): void {
  for (const [what, plant] of Object.entries(PLANTED))
    it(`${what} that differs`, async function () {
      this.timeout(120_000);
      expect(await differs(withPlanted(pair(), plant), seed, 600)).to.equal(true);
    });
}

const shown = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none';

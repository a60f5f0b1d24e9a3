import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { FOLDERS, type Ledger, list, replay, seededRandom, settle, write } from './workload.js';

/** Kills on each store. */
const ROUNDS = runs(2);
const WRITERS = 12;

for (const store of SERVER_STORES) {
  describe(`a server that is killed during writes (${store})`, function () {
    this.timeout(240_000);
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    let server: TestServer;

    before(async function () {
      server = await startServer({ settings: await storeSettings(this, store) });
    });

    after(() => server?.stop());

    // Promise: contract 10
    it(`has every acknowledged write after each restart, and watches continue without a gap (SEED=${seed})`, async () => {
      const random = seededRandom(seed);
      const ledgers = new Map<string, Ledger>(
        Array.from({ length: WRITERS }, (_, i) => [
          `w${i}`,
          { acknowledged: undefined, pending: undefined, operations: 0 },
        ]),
      );
      const violations: string[] = [];
      await lastChange(server, '0');
      let start = await list(server.client);
      for (let round = 0; round < ROUNDS; round++) {
        await crash(server, ledgers, random);
        violations.push(...(await settle(server.client, ledgers)));
        const now = await list(server.client);
        const replayed = await replay(server.client, start, await lastChange(server, now.revision));
        if (JSON.stringify(sorted(replayed)) !== JSON.stringify(sorted(now.titles))) {
          violations.push(`round ${round}: list + watch from ${start.revision} is not the state at ${now.revision}`);
        }
        start = now;
      }
      console.log(`      kills: ${ROUNDS}, operations: ${total(ledgers)}, violations: ${violations.length}`);
      expect(violations).to.deep.equal([]);
    });
  });
}

async function crash(server: TestServer, ledgers: ReadonlyMap<string, Ledger>, random: () => number): Promise<void> {
  const stop = new AbortController();
  const writers = [...ledgers].map(([name, ledger]) => write(server.client, name, ledger, random, stop.signal));
  const before = total(ledgers);
  await new Promise((resolve) => setTimeout(resolve, 300 + random() * 1200));
  // Some writers have received an answer and sent another request by then.
  await eventually(
    () => total(ledgers) > before + ledgers.size || undefined,
    () => 'the writers made no progress',
  );
  await server.kill();
  stop.abort();
  await Promise.all(writers);
  await server.restart();
}

function total(ledgers: ReadonlyMap<string, Ledger>): number {
  return [...ledgers.values()].reduce((sum, { operations }) => sum + operations, 0);
}

/** Makes a last event, for which watches can wait, and returns its revision. */
async function lastChange(server: TestServer, revision: string): Promise<string> {
  const body = { metadata: { name: 'marker' }, spec: { title: 'marker' } };
  const made = await server.client.request('POST', FOLDERS, { body });
  expect(made.status).to.equal(201);
  const gone = await server.client.request('DELETE', `${FOLDERS}/marker`);
  expect(gone.status).to.equal(200);
  const { metadata } = gone.json<{ metadata: { resourceVersion: string } }>();
  expect(BigInt(metadata.resourceVersion) > BigInt(revision)).to.equal(true);
  return metadata.resourceVersion;
}

function sorted(titles: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...titles].sort(([a], [b]) => (a < b ? -1 : 1));
}

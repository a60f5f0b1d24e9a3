import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ownReplicaSet } from '../../hack/mongod/shared.js';
import type { ReplicaSet } from '../../hack/mongod.js';
import { FOLDERS, type Ledger, list, replay, seededRandom, settle, write } from '../crash/workload.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';
import { mongodbSettings, SERVER_STORES } from '../e2e/stores.js';

const WRITERS = 8;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

if (SERVER_STORES.includes('mongodb')) {
  describe('servers with a failing database or a failing other server', function () {
    this.timeout(300_000);
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    let set: ReplicaSet;
    let a: TestServer;
    let b: TestServer;

    before(async function () {
      set = await ownReplicaSet(this, 3);
      const settings = mongodbSettings(set.uri);
      [a, b] = await Promise.all([startServer({ settings }), startServer({ settings })]);
      await marker(a);
    });

    after(async () => {
      await Promise.all([a?.stop(), b?.stop()]);
      await set?.stop();
    });

    const ledgersOf = (prefix: string): ReadonlyMap<string, Ledger> =>
      new Map(
        Array.from({ length: WRITERS }, (_, i) => [
          `${prefix}${i}`,
          { acknowledged: undefined, pending: undefined, operations: 0 },
        ]),
      );

    /** Checks the stored folders against the ledgers, and a watch from `start` against the stored folders. */
    const check = async (
      start: Awaited<ReturnType<typeof list>>,
      ledgers: ReadonlyMap<string, Ledger>,
    ): Promise<void> => {
      for (const server of [a, b]) expect(await settle(server.client, ledgers)).to.deep.equal([]);
      const last = await marker(a);
      for (const server of [a, b]) {
        const replayed = await replay(server.client, start, last);
        expect([...replayed].sort()).to.deep.equal([...(await list(server.client)).titles].sort());
      }
    };

    it(`keep every acknowledged write when the primary is killed, and watches continue (SEED=${seed})`, async () => {
      const start = await list(a.client);
      const ledgers = ledgersOf('primary');
      const random = seededRandom(seed);
      const stop = new AbortController();
      const writers = [...ledgers].map(([name, ledger], i) =>
        write((i % 2 === 0 ? a : b).client, name, ledger, random, stop.signal),
      );
      await pause(1500);
      const killed = await set.primary();
      const at = Date.now();
      await killed.kill9();
      await Promise.race([Promise.all(writers), pause(5000)]);
      await eventually(
        async () => ((await writable(a)) && (await writable(b))) || undefined,
        () => 'no server recovered',
      );
      console.log(`      primary killed; both servers write again after ${Date.now() - at} ms`);
      stop.abort();
      await Promise.all(writers);
      await check(start, ledgers);
      await killed.restart();
      console.log(`      operations: ${total(ledgers)}, violations: 0`);
    });

    /** What interrupts the set, and what ends it. */
    const INTERRUPTIONS: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
      'the primary is frozen': async () => {
        const frozen = await set.primary();
        frozen.pause();
        return async () => frozen.resume();
      },
      'there is no majority for some time': async () => {
        const primary = await set.primary();
        const killed = set.members.filter((member) => member !== primary);
        for (const member of killed) await member.kill9();
        return async () => void (await Promise.all(killed.map((member) => member.restart())));
      },
    };
    for (const [what, interrupt] of Object.entries(INTERRUPTIONS))
      it(`keep every acknowledged write and read nothing stale when ${what} (SEED=${seed})`, async () => {
        const start = await list(a.client);
        const ledgers = ledgersOf(what.replaceAll(' ', '-'));
        const random = seededRandom(seed);
        const stop = new AbortController();
        const writers = [...ledgers].map(([name, ledger], i) =>
          write((i % 2 === 0 ? a : b).client, name, ledger, random, stop.signal),
        );
        const reader = readBack(a, b, stop.signal);
        await pause(1500);
        const end = await interrupt();
        await Promise.race([Promise.all(writers), pause(5000)]);
        await end();
        await eventually(
          async () => ((await writable(a)) && (await writable(b))) || undefined,
          () => 'no server recovered',
        );
        stop.abort();
        await Promise.all(writers);
        const { written, statuses, wrong } = await reader;
        expect(wrong).to.deep.equal([]);
        await check(start, ledgers);
        console.log(
          `      operations: ${total(ledgers)}, read on the other server: ${written}, ${[...statuses].join(' ')}`,
        );
      });

    // Promise: contract 6
    it('answer 503 or 504 while the database is unavailable, never stale data, and recover afterwards', async () => {
      await set.primary();
      await eventually(
        async () => (await writable(a)) || undefined,
        () => 'not ready before the test',
      );
      for (const member of set.members) member.pause();
      try {
        const read = await a.client.request('GET', `${FOLDERS}/marker0`);
        expect(read.status, read.text).to.be.oneOf([503, 504]);
        const ready = await fetch(`${a.httpUrl}/readyz`);
        expect(ready.status).to.equal(503);
        expect(await ready.text()).to.match(
          /^\[-\]storage failed: the store (has not answered within|cannot be reached)/m,
        );
        expect((await fetch(`${a.httpUrl}/livez`)).status).to.equal(200);
        if (read.status === 503) expect(read.headers['retry-after']).to.equal('2');
        // Not even stale data is returned, because the server cannot verify the credential of the caller.
        const cached = await a.client.request('GET', `${FOLDERS}?resourceVersion=0&limit=1`);
        expect(cached.status, cached.text).to.be.oneOf([503, 504]);
      } finally {
        for (const member of set.members) member.resume();
      }
      await eventually(
        async () => ((await writable(a)) && (await writable(b))) || undefined,
        () => 'no server recovered',
      );
      // The members may have to elect another primary first.
      await eventually(
        async () => (await fetch(`${a.httpUrl}/readyz`)).ok || undefined,
        () => 'the server was not ready again',
      );
    });

    it('show what they know of themselves while the database is unavailable, without waiting for it', async () => {
      await set.primary();
      const token = (await readFile(join(a.folder, 'data', 'admin.token'), 'utf8')).trim();
      const ask = (path: string, authorization: string) =>
        fetch(`${a.httpUrl}${path}`, { headers: { authorization }, redirect: 'manual' });
      const admin = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
      await eventually(
        async () => (await ask('/metrics', admin)).ok || undefined,
        () => 'not ready before the test',
      );
      for (const member of set.members) member.pause();
      try {
        // This one waits for the database, and is not answered before all others are.
        let isAnswered = false;
        const waiting = a.client.request('GET', `${FOLDERS}/marker0`).finally(() => {
          isAnswered = true;
        });
        for (const authorization of [`Bearer ${token}`, admin]) {
          const metrics = await ask('/metrics', authorization);
          expect(metrics.status).to.equal(200);
          expect(await metrics.text()).to.contain('apiserver_storage_objects');
        }
        for (const path of ['/', '/version', '/healthz', '/livez', '/login', '/console', '/docs'])
          expect((await ask(path, admin)).status, path).to.be.oneOf([200, 302, 303, 308]);
        expect(isAnswered).to.equal(false);
        await waiting;
      } finally {
        for (const member of set.members) member.resume();
      }
      await eventually(
        async () => (await writable(a)) || undefined,
        () => 'no server recovered',
      );
    });

    it(`continue when a server is stopped for 10 s during its writes (SEED=${seed})`, async () => {
      const start = await list(a.client);
      const ledgers = ledgersOf('stopped');
      const random = seededRandom(seed);
      const stop = new AbortController();
      const writers = [...ledgers].map(([name, ledger], i) =>
        write((i % 2 === 0 ? a : b).client, name, ledger, random, stop.signal),
      );
      await pause(1000);
      process.kill(b.pid, 'SIGSTOP');
      const before = total(ledgers);
      await Promise.all([
        pause(10_000),
        eventually(
          () => total(ledgers) - before > WRITERS || undefined,
          () => 'the other server did not continue',
        ),
      ]);
      const meanwhile = total(ledgers) - before;
      process.kill(b.pid, 'SIGCONT');
      await pause(1000);
      stop.abort();
      await Promise.all(writers);
      await eventually(
        async () => (await writable(b)) || undefined,
        () => 'the stopped server did not recover',
      );
      await check(start, ledgers);
      console.log(`      operations: ${total(ledgers)}, by the other server meanwhile: ${meanwhile}, violations: 0`);
    });

    it('end at SIGTERM, even while the database is unavailable and a request waits for it', async () => {
      for (const member of set.members) member.pause();
      try {
        const waiting = writable(a);
        process.kill(a.pid, 'SIGTERM');
        expect(await a.ended()).to.equal(0);
        expect(a.output()).to.contain('the store does not answer, so it is not closed');
        expect(await waiting).to.equal(false);
      } finally {
        for (const member of set.members) member.resume();
      }
      await set.primary();
      for (const server of [b, a]) {
        // A server needs a writable database to start. The members may have to elect another primary first.
        if (server === a) await a.restart();
        await eventually(
          async () => (await writable(server)) || undefined,
          () => 'no server recovered',
        );
      }
    });
  });
}

let markers = 0;

/** Writes a folder, with retries until it succeeds. Returns the revision. */
async function marker(server: TestServer): Promise<string> {
  const body = { metadata: { name: `marker${markers++}` }, spec: { title: 'marker' } };
  return eventually(
    async () => {
      const answer = await server.client.request('POST', FOLDERS, { body });
      if (answer.status !== 201) return undefined;
      return answer.json<{ metadata: { resourceVersion: string } }>().metadata.resourceVersion;
    },
    () => 'the marker could not be written',
  );
}

/**
 * Writes on one server and reads on the other one, until the signal aborts. Only 503, 504 and an unknown outcome (500)
 * are no success.
 */
async function readBack(a: TestServer, b: TestServer, stop: AbortSignal) {
  const statuses = new Set<string>();
  const wrong: string[] = [];
  let written = 0;
  for (let i = 0; !stop.aborted; i++) {
    const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a];
    const body = { metadata: { generateName: 'back-' }, spec: { title: 'back' } };
    const made = await writer.client.request('POST', FOLDERS, { body });
    statuses.add(`POST ${made.status}`);
    if (![201, 500, 503, 504].includes(made.status)) wrong.push(made.text);
    if (made.status === 503 && made.headers['retry-after'] === undefined) wrong.push(`no Retry-After: ${made.text}`);
    if (made.status !== 201) continue;
    written++;
    const { name } = made.json<{ metadata: { name: string } }>().metadata;
    const read = await reader.client.request('GET', `${FOLDERS}/${name}`);
    statuses.add(`GET ${read.status}`);
    if (![200, 503, 504].includes(read.status)) wrong.push(`${name}: ${read.text}`);
  }
  return { written, statuses, wrong };
}

async function writable(server: TestServer): Promise<boolean> {
  const body = { metadata: { generateName: 'probe-' }, spec: { title: 'probe' } };
  const answer = await server.client.request('POST', FOLDERS, { body }).catch(() => undefined);
  return answer?.status === 201;
}

function total(ledgers: ReadonlyMap<string, Ledger>): number {
  return [...ledgers.values()].reduce((sum, { operations }) => sum + operations, 0);
}

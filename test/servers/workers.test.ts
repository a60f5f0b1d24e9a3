import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { FOLDERS, type Ledger, list, replay, seededRandom, settle, write } from '../crash/workload.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';

const WRITERS = 16;

for (const store of SERVER_STORES) {
  describe(`a server with two workers (${store})`, function () {
    this.timeout(120_000);
    let server: TestServer;

    before(async function () {
      const settings = { ...(await storeSettings(this, store)), 'server.workers': '2' };
      server = await startServer({ settings });
    });

    after(() => server?.stop());

    const folder = (name: string) => ({ metadata: { name }, spec: { title: name } });
    /** Many requests at once use many connections, which go to the workers in turn. */
    const createAll = (names: readonly string[]) =>
      Promise.all(names.map((name) => server.client.request('POST', FOLDERS, { body: folder(name) })));
    const named = (prefix: string): readonly string[] => Array.from({ length: 20 }, (_, i) => `${prefix}${i}`);

    /**
     * Clients change folders until `interrupt` has ended. Then the acknowledged writes are compared with the stored
     * folders.
     */
    async function whileWriting(interrupt: () => Promise<void>): Promise<void> {
      const random = seededRandom(3);
      const ledgers = new Map<string, Ledger>();
      const stop = new AbortController();
      const writers = Array.from({ length: WRITERS }, (_, i) => {
        const ledger: Ledger = { acknowledged: undefined, pending: undefined, operations: 0 };
        ledgers.set(`writer${i}`, ledger);
        return write(server.client, `writer${i}`, ledger, random, stop.signal);
      });
      const total = (): number => [...ledgers.values()].reduce((sum, { operations }) => sum + operations, 0);
      await eventually(
        () => total() > 3 * WRITERS || undefined,
        () => 'the clients make no progress',
      );
      await interrupt();
      stop.abort();
      await Promise.all(writers);
      expect(await settle(server.client, ledgers)).to.deep.equal([]);
      for (const name of ledgers.keys()) await server.client.request('DELETE', `${FOLDERS}/${name}`);
    }

    it('serves requests by two processes', async () => {
      expect(await workersOf(server.pid)).to.have.length(2);
    });

    it('is one server for kubectl', async () => {
      const kubectl = await server.kubectl();
      expect(await kubectl.ok(['get', '--raw', '/readyz'])).to.include('ok');
    });

    it('shows each write at once, whichever worker has done it', async () => {
      const answers = await createAll(named('fresh'));
      const texts = await Promise.all(
        named('fresh').map(async (name) => (await server.client.request('GET', `${FOLDERS}/${name}`)).text),
      );
      expect(texts).to.deep.equal(answers.map(({ text }) => text));
      const names = answers.map(({ status }) => status);
      expect(names).to.deep.equal(names.map(() => 201));
    });

    it('creates one object if all clients want the same name', async () => {
      const answers = await createAll(named('same').map(() => 'same'));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201,
        ...named('same')
          .slice(1)
          .map(() => 409),
      ]);
    });

    it('sends what every worker has written to a watch', async () => {
      const start = await list(server.client);
      await createAll(named('watched'));
      const end = await list(server.client);
      expect([...(await replay(server.client, start, end.revision))].sort()).to.deep.equal([...end.titles].sort());
    });

    it('adds up what its workers have counted', async () => {
      const { text } = await server.client.request('GET', '/metrics');
      const created = /^apiserver_request_total\{verb="POST".*resource="folders".*code="201"\} (\d+)$/m.exec(text)?.[1];
      expect(Number(created)).to.equal(41);
      expect(text).to.match(/^apiserver_storage_objects\{resource="folders\.folder\.svc\.app"\} 41$/m);
      // Each worker ends its slots by itself, so the last requests may be in the next one.
      const lately = await eventually(
        async () => {
          const answer = (await server.client.request('GET', '/metrics?recent=true')).json<{
            slots: { requests: number; failed: number; memory: number }[];
          }>();
          const requests = answer.slots.reduce((sum, slot) => sum + slot.requests, 0);
          return requests >= 41 ? answer.slots : undefined;
        },
        () => 'the last hour does not have the requests of all workers',
      );
      expect(lately.reduce((sum, slot) => sum + slot.failed, 0)).to.equal(0);
    });

    it('writes whole lines to one audit log', async () => {
      const lines = await eventually(
        async () => {
          const text = await readFile(join(server.folder, 'data', 'audit', 'audit.log'), 'utf8');
          const events = text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line));
          const creations = events.filter(({ verb, stage }) => verb === 'create' && stage === 'ResponseComplete');
          return creations.length >= 60 ? creations : undefined;
        },
        () => 'the audit log is not complete',
      );
      expect(new Set(lines.map(({ auditID }) => auditID)).size).to.equal(lines.length);
    });

    it('starts a worker again that is killed, and loses nothing', async () => {
      await whileWriting(async () => {
        const before = await workersOf(server.pid);
        process.kill(before[0] ?? 0, 'SIGKILL');
        await eventually(
          async () => {
            const now = await workersOf(server.pid);
            return (now.length === 2 && now.some((pid) => !before.includes(pid))) || undefined;
          },
          () => 'no worker was started again',
        );
      });
    });

    it('closes a connection at once if its worker is killed before it took the connection', async () => {
      const [stopped = 0] = await workersOf(server.pid);
      process.kill(stopped, 'SIGSTOP');
      // One connection is given to the stopped worker, and the other worker takes the rest.
      const outcomes = new Map<number, string>();
      const requests = [0, 1, 2, 3].map(async (i) => {
        outcomes.set(i, await outcomeOf(`${server.httpUrl}/readyz`));
      });
      await eventually(
        () => outcomes.size === 3 || undefined,
        () => `${outcomes.size} of 4 requests were answered`,
      );
      process.kill(stopped, 'SIGKILL');
      await Promise.all(requests);
      expect([...outcomes.values()].toSorted()).to.deep.equal(['200', '200', '200', 'closed']);
    });

    it('loses nothing and ends its workers when the process that has the store is killed', async () => {
      await whileWriting(async () => {
        const workers = await workersOf(server.pid);
        await server.kill();
        await eventually(
          () => !workers.some(isRunning) || undefined,
          () => 'the workers go on alone',
        );
        await server.restart();
      });
    });

    it('ends with all of its workers on SIGTERM', async () => {
      const workers = await workersOf(server.pid);
      process.kill(server.pid, 'SIGTERM');
      expect(await server.ended()).to.equal(0);
      expect(workers.filter(isRunning)).to.deep.equal([]);
      await server.restart();
    });
  });
}

/** Sends a request on a connection of its own. */
function outcomeOf(url: string): Promise<string> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(String(answer.statusCode));
    }).on('error', () => resolve('closed'));
  });
}

async function workersOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

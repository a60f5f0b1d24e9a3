import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Db, MongoClient } from 'mongodb';
import { type Dump, dumpOf, restoreDump } from '../../hack/mongod/dump.js';
import { FOLDERS, list } from '../crash/workload.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually, programOf, startProgram } from '../e2e/process.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';

/** What a server answered while the database was set back and loaded again. */
interface Seen {
  readonly ready: Set<number>;
  /** The statuses of reads and writes, with `Retry-After` if there is one. */
  readonly answers: Set<string>;
  /** Answers that the database cannot have given. */
  readonly wrong: string[];
  /** Names of what was acknowledged. */
  readonly acknowledged: string[];
}

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

if (SERVER_STORES.includes('mongodb')) {
  describe('a database that is set back under running servers', function () {
    this.timeout(240_000);
    let settings: Readonly<Record<string, string>>;
    let mongo: MongoClient;
    let db: Db;
    let dump: Dump;
    const servers: TestServer[] = [];
    const written: string[] = [];

    async function start(): Promise<TestServer> {
      const server = await startServer({ settings });
      servers.push(server);
      return server;
    }

    const post = (server: TestServer, name: string) =>
      server.client.request('POST', FOLDERS, { body: { metadata: { name }, spec: { title: name } } });

    async function create(server: TestServer, all: readonly string[]): Promise<void> {
      for (const name of all) expect((await post(server, name)).status).to.equal(201);
    }

    /**
     * Asks a server again and again until the signal aborts. Folders called `lost-…` and the title `lost` are not in
     * the database any more.
     */
    async function ask(server: TestServer, id: string, stop: AbortSignal): Promise<Seen> {
      const seen: Seen = { ready: new Set(), answers: new Set(), wrong: [], acknowledged: [] };
      const told = ({ status, headers }: { status: number; headers: Record<string, unknown> }) =>
        seen.answers.add(`${status}${headers['retry-after'] === undefined ? '' : ` after ${headers['retry-after']}`}`);
      for (let i = 0; !stop.aborted; i++) {
        seen.ready.add((await fetch(`${server.httpUrl}/readyz`)).status);
        for (const path of [`${FOLDERS}/lost-1`, FOLDERS, `${FOLDERS}?resourceVersion=0`, '/api/folders/lost-2']) {
          const answer = await server.client.request('GET', path);
          told(answer);
          if (answer.status < 300 && answer.text.includes('lost')) seen.wrong.push(`${path}: ${answer.text}`);
        }
        const name = `while-${id}-${i}`;
        const answer = await post(server, name);
        told(answer);
        if (answer.status === 201) seen.acknowledged.push(name);
        await sleep(100);
      }
      return seen;
    }

    /** The code of the error with which a watch ends. `onStart` is called when it sends what there is. */
    async function endOfWatch(server: TestServer, onStart: () => void): Promise<number | undefined> {
      for await (const line of server.client.lines(`${FOLDERS}?watch=true&timeoutSeconds=120`)) {
        onStart();
        const event = JSON.parse(line) as { type: string; object: { code?: number } };
        if (event.type === 'ERROR') return event.object.code;
      }
      return undefined;
    }

    before(async function () {
      settings = await storeSettings(this, 'mongodb');
      mongo = new MongoClient(settings['storage.mongodb_uri'] ?? '');
      db = mongo.db(settings['storage.mongodb_database']);
    });
    after(async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await mongo?.close();
    });

    it('is noticed by all, which serve and acknowledge nothing of the former one, and then go on with the present one', async () => {
      const [a, b] = await Promise.all([start(), start()]);
      await create(a, names('old', 5));
      dump = await dumpOf(db);
      await create(a, names('lost', 4));
      await b.client.request('PUT', `${FOLDERS}/old-0`, {
        body: { metadata: { name: 'old-0' }, spec: { title: 'lost' } },
      });
      const watches: Promise<number | undefined>[] = [];
      // A watch that began after the set-back would be of the present log.
      for (const server of [a, b])
        await new Promise<void>((started) => {
          watches.push(endOfWatch(server, started));
        });
      await restoreDump(db, dump, { first: 'changes' });
      const stop = new AbortController();
      const asked = Promise.all([ask(a, 'a', stop.signal), ask(b, 'b', stop.signal)]);
      const c = await start();
      await create(c, names('nine', 20));
      expect(await Promise.all(watches)).to.deep.equal([410, 410]);
      for (const server of [a, b])
        await eventually(
          async () => (await fetch(`${server.httpUrl}/readyz`)).ok || undefined,
          () => `the server is not ready again:\n${server.output()}`,
        );
      stop.abort();
      const seen = await asked;
      for (const one of seen) {
        expect(one.wrong).to.deep.equal([]);
        expect([...one.ready]).to.include(503);
        expect([...one.answers].filter((answer) => !/^(200|201|404|503 after \d+)$/.test(answer))).to.deep.equal([]);
        expect([...one.answers].some((answer) => answer.startsWith('503 after'))).to.equal(true);
      }
      written.push(...names('old', 5), ...names('nine', 20), ...seen.flatMap((one) => one.acknowledged));
      for (const server of servers) expect([...(await list(server.client)).titles.keys()]).to.have.members(written);
      expect((await list(a.client)).titles.get('old-0')).to.equal('old-0');
    });

    it('is right after a restart with the same data folder, and for the check of the store', async () => {
      const [a, b] = servers;
      if (a === undefined || b === undefined) throw new Error('the servers did not start');
      await Promise.all([a.end().then(() => a.restart()), b.kill().then(() => b.restart())]);
      for (const server of servers) expect([...(await list(server.client)).titles.keys()]).to.have.members(written);
      await create(a, ['last-a']);
      await create(b, ['last-b']);
      await Promise.all(servers.map((server) => server.end()));
      const args = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
      const checking = await startProgram(process.execPath, [...programOf('adminctl'), 'check', ...args], {
        env: process.env,
      });
      const code = await checking.ended;
      expect(checking.stdout()).to.include('nothing is wrong');
      expect(code).to.equal(0);
    });
  });
}

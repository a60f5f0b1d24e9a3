import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { dumpOf, restoreDump } from '../../hack/mongod/dump.js';
import { ownReplicaSet } from '../../hack/mongod/shared.js';
import type { ReplicaSet } from '../../hack/mongod.js';
import { runs } from '../../pkg/system/testing/runs.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually, programOf, startProgram } from '../e2e/process.js';
import { mongodbSettings, SERVER_STORES } from '../e2e/stores.js';
import { type Balancer, startTcpBalancer } from './balancer.js';
import { at, checkRefused, checkStretches, checkWrites, type Log } from './day/check.js';
import { DayClient, FOLDERS } from './day/client.js';
import { damageLocalFiles } from './day/damage.js';
import { Follower } from './day/follower.js';
import { listOn, logFrom, mark } from './day/log.js';
import { Ledger, Writer } from './day/writers.js';

const SERVERS = 2;
/** Acknowledged writes between two events. */
const CALM = 20;

if (SERVER_STORES.includes('mongodb')) {
  describe("an operator's day: servers behind a load balancer, on a set of three members", function () {
    this.timeout(240_000);
    let set: ReplicaSet;
    let settings: Readonly<Record<string, string>>;
    let mongo: MongoClient;
    let servers: readonly TestServer[] = [];
    let balancer: Balancer;
    let writers: readonly Writer[] = [];
    let followers: readonly Follower[] = [];
    const ledger = new Ledger();
    /** How often the database was set back. */
    let history = 0;
    /** The folders from the begin, and what was done up to the restore. */
    let first: Log;
    /** The dump that was restored, and what was done since. */
    let second: Log;

    before(async function () {
      // It takes two minutes, half of a processor. A short run leaves it out: its parts have tests of their own.
      if (runs(4) < 4) this.skip();
      set = await ownReplicaSet(this, 3);
      settings = { ...mongodbSettings(set.uri), 'server.shutdown_delay': '4s' };
      mongo = new MongoClient(set.uri);
      servers = await Promise.all(Array.from({ length: SERVERS }, () => startServer({ settings })));
      balancer = await startTcpBalancer(servers.map((server) => () => server.httpUrl));
      first = await listOn(servers[0]?.httpUrl ?? '');
      writers = [false, true, false, true].map((kept, i) => new Writer(`w${i}`, balancer.url, kept, ledger));
      followers = [0, 1, 2].map(() => new Follower(balancer.url, () => history));
      for (const writer of writers) writer.start();
      await calm();
    });
    after(async () => {
      await Promise.all([...writers, ...followers].map((one) => one.stop()));
      for (const writer of writers) writer.close();
      await balancer?.close();
      await Promise.all(servers.map((server) => server.stop()));
      await mongo?.close();
      await set?.stop();
    });

    /**
     * Waits until so many writes more are acknowledged, all servers are ready, and nothing fails any more. Prints how
     * long it took.
     */
    async function calm(what = ''): Promise<void> {
      const began = performance.now();
      const before = ledger.acknowledged.length;
      await eventually(
        () => (ledger.acknowledged.length > before && balancer.ready() === SERVERS) || undefined,
        () => `nothing is written: ${ledger.failures.slice(-3).join('\n')}`,
      );
      if (what !== '') console.log(`      ${what}: all write again after ${Math.round(performance.now() - began)} ms`);
      const again = ledger.acknowledged.length;
      await eventually(
        () => ledger.acknowledged.length >= again + CALM || undefined,
        () => `the servers do not go on: ${ledger.failures.slice(-3).join('\n')}`,
      );
    }

    const stopWriters = (): Promise<unknown> => Promise.all(writers.map((writer) => writer.stop()));
    const urlOf = (index: number): string => servers[index]?.httpUrl ?? '';

    it('goes on when the primary is killed', async () => {
      const primary = await set.primary();
      await primary.kill9();
      await calm('the primary was killed');
      await primary.restart();
    });

    it('goes on when the primary is frozen, and when it comes back', async () => {
      const primary = await set.primary();
      primary.pause();
      await calm('the primary was frozen');
      primary.resume();
      await calm();
    });

    it('goes on when the set has lost its majority, and has it again', async () => {
      const primary = await set.primary();
      const others = set.members.filter((member) => member !== primary);
      await Promise.all(others.map((member) => member.kill9()));
      await eventually(
        () => balancer.ready() === 0 || undefined,
        () => 'servers are ready although the set has no majority',
      );
      const before = ledger.acknowledged.length;
      for (let i = 0; i < SERVERS; i++) {
        expect((await fetch(`${urlOf(i)}/livez`)).status).to.equal(200);
        expect((await fetch(`${urlOf(i)}/readyz`)).status).to.equal(503);
      }
      expect(ledger.acknowledged).to.have.length(before);
      await Promise.all(others.map((member) => member.restart()));
      await calm('the majority came back');
    });

    it('serves nothing of the former state, and acknowledges nothing on it, when the database is set back', async () => {
      await set.primary();
      const db = mongo.db(settings['storage.mongodb_database']);
      await stopWriters();
      const dump = await dumpOf(db);
      const { folders } = await listOn(urlOf(0));
      // A server may write something else after the dump, so the revision of the list may be later.
      const from = Number(dump.get('changes')?.documents.find(({ _id }) => String(_id) === 'log')?.['revision']);
      for (const writer of writers) writer.start();
      await calm();
      await stopWriters();
      const ghost = [...at(await listOn(urlOf(0)), Infinity)].find(([name]) => !folders.has(name))?.[0];
      first = await logFrom(urlOf(0), first, await mark(urlOf(0), 'end-of-the-first'));
      await eventually(
        () => followers.every(({ revision }) => revision >= (first.events.at(-1)?.revision ?? 0)) || undefined,
        () => 'a watch is late',
      );
      expect(checkWrites(first, ledger.acknowledged)).to.deep.equal([]);
      expect(checkRefused(first, ledger.refused)).to.deep.equal([]);
      expect([...at(first, from)].sort()).to.deep.equal([...folders].sort());
      console.log(`      ${ledger.acknowledged.length} writes are acknowledged, and in the log`);
      ledger.acknowledged = [];
      for (const writer of writers) writer.forget();
      history++;
      let begun = false;
      const afterEach = async (): Promise<void> => {
        // What is written before all is dropped is lost for good.
        if (!begun) for (const writer of writers) writer.start();
        begun = true;
      };
      await restoreDump(db, dump, { first: 'changes', afterEach });
      const statuses = await askFor(ghost ?? '', calm('the database was set back'));
      expect([...statuses]).to.have.members([404, 503]);
      for (const server of servers) expect(server.output()).to.include('set back or replaced');
      second = { from, folders, events: [] };
    });

    /** Asks every server for a folder while the work lasts. Returns the statuses of the answers. */
    async function askFor(name: string, work: Promise<void>): Promise<ReadonlySet<number>> {
      const statuses = new Set<number>();
      const stop = new AbortController();
      const asking = servers.map(async (_, i) => {
        const client = new DayClient(() => urlOf(i), true);
        while (!stop.signal.aborted) {
          for (const query of ['', '?resourceVersion=0'])
            statuses.add((await client.send('GET', `${FOLDERS}/${name}${query}`)).status);
          await sleep(100);
        }
        client.close();
      });
      await work.finally(() => stop.abort());
      await Promise.all(asking);
      return statuses;
    }

    it('serves no damaged bytes of a local file', async () => {
      const [server] = servers;
      if (server === undefined) throw new Error('no server');
      await stopWriters();
      const all = await listOn(server.httpUrl);
      const title = [...all.folders.values()].find((one) => one.startsWith('w')) ?? '';
      for (const writer of writers) writer.start();
      process.kill(server.pid, 'SIGTERM');
      expect(await server.ended()).to.equal(0);
      expect(damageLocalFiles(join(server.folder, 'data'), `"title":"${title}"`)).to.be.greaterThan(0);
      await server.restart();
      await calm('a damaged file was made again');
      await stopWriters();
      const read = await listOn(urlOf(0));
      expect([...read.folders]).to.deep.equal([...(await listOn(urlOf(1))).folders]);
      for (const writer of writers) writer.start();
      expect(server.output()).to.match(/damaged/);
    });

    it('leaves a database of another program alone', async () => {
      const db = mongo.db('shop');
      await db.collection('changes').insertMany([{ _id: 1 as never, what: 'a change of another program' }]);
      await db.collection('servers').insertOne({ heartbeat: new Date() });
      const before = await dumpOf(db);
      const args = {
        ...settings,
        'storage.mongodb_database': 'shop',
        'server.http_port': '0',
        'server.https_port': '0',
      };
      const program = await startProgram(
        process.execPath,
        [
          ...programOf('apiserver'),
          ...Object.entries(args).map(([key, value]) => `--${key}=${value}`),
          `--paths.data=${join(servers[0]?.folder ?? '', 'foreign')}`,
        ],
        { env: process.env },
      );
      expect(await program.ended).to.equal(1);
      expect(program.stderr() + program.stdout()).to.include('The database shop is of another program');
      expect(await dumpOf(db)).to.deep.equal(before);
    });

    it('shows clients no error when the servers are restarted one after another', async () => {
      await calm();
      ledger.failures = [];
      for (const follower of followers) follower.failures = [];
      balancer.failures.length = 0;
      for (const server of servers) {
        process.kill(server.pid, 'SIGTERM');
        expect(await server.ended()).to.equal(0);
        await server.restart();
        await calm('a server was restarted');
      }
      const failures = [...ledger.failures, ...balancer.failures, ...followers.flatMap((one) => one.failures)];
      expect(failures).to.deep.equal([]);
    });

    it('has lost no acknowledged write, and all watches are complete', async () => {
      await stopWriters();
      const end = await mark(urlOf(0), 'end-of-the-day');
      await eventually(
        () => followers.every(({ revision }) => revision >= end) || undefined,
        () => 'a watch is late',
      );
      second = await logFrom(urlOf(1), second, end);
      expect(ledger.wrong).to.deep.equal([]);
      expect(checkWrites(second, ledger.acknowledged)).to.deep.equal([]);
      expect(checkRefused(second, ledger.refused)).to.deep.equal([]);
      const stretches = followers.flatMap((follower) => follower.stretches);
      const of = (which: number) => stretches.filter((stretch) => stretch.history === which);
      expect(checkStretches(first, of(0))).to.deep.equal([]);
      expect(checkStretches(second, of(1))).to.deep.equal([]);
      expect(of(1).length).to.be.at.least(followers.length);
      for (const server of servers) {
        const { folders } = await listOn(server.httpUrl);
        expect([...folders].sort()).to.deep.equal([...at(second, end)].sort());
      }
      const seen = stretches.reduce((sum, { events }) => sum + events.length, 0);
      console.log(
        `      ${ledger.acknowledged.length} writes since; ${ledger.readBack} read on another connection, ${ledger.unknown} of unknown outcome, ${ledger.refused.size} refused; ${seen} events`,
      );
    });
  });
}

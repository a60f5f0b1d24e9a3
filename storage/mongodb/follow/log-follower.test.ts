import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
// biome-ignore-start lint/style/noRestrictedImports: tests of a backend run on a real database, which hack starts
import { freshDatabase, sharedMongodb } from '../../../hack/mongod/shared.js';
// biome-ignore-end lint/style/noRestrictedImports: as above
import { keyOf } from '../../key.js';
import { openMongodb } from '../open.js';

const key = keyOf('folders.folder.svc.app', 'default', 'a');
const change = { key, revision: 1, value: new TextEncoder().encode('{}') };

/** Enough that the average is far from the time of one poll. */
const WRITES = 6;

describe('the change stream', function () {
  this.timeout(60_000);

  it('tells what another server writes at once, and not only at the next poll', async function () {
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    let opened = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const onCommand = ({ command, commandName }: CommandStartedEvent): void => {
      if (commandName === 'aggregate' && command['aggregate'] === 'changes') opened();
    };
    const a = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
    const b = await openMongodb({ uri, database, domain: 'svc.app' });
    const end = new AbortController();
    const commits = a.tail(0, end.signal)[Symbol.asyncIterator]();
    let next = commits.next();
    await isOpen;
    const began = performance.now();
    for (let at = 0; at < WRITES; at++) {
      const written = { ...change, key: keyOf('folders.folder.svc.app', 'default', `a${at}`), revision: at + 1 };
      await b.append(at, { commitId: `c${at}`, changes: [written], counters: new Map() });
      expect((await next).value.end).to.equal(at + 1);
      next = commits.next();
    }
    // Polls alone would take a second for each write.
    expect(performance.now() - began).to.be.below((WRITES * 1000) / 2);
    end.abort();
    await next;
    await a.close();
    await b.close();
    const client = new MongoClient(uri);
    await client.db(database).dropDatabase();
    await client.close();
  });

  it('brings small commits of other servers, so that only large ones are read', async function () {
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    let reads = 0;
    let streams = 0;
    const onCommand = ({ command, commandName }: CommandStartedEvent): void => {
      if (commandName === 'find' && command['filter']?._id?.$gt !== undefined) reads++;
      if (commandName === 'getMore' && command['collection'] === 'changes') streams++;
    };
    const a = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
    const b = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
    const end = new AbortController();
    const commits = a.tail(0, end.signal)[Symbol.asyncIterator]();
    const own = b.tail(0, end.signal)[Symbol.asyncIterator]().next();
    let next = commits.next();
    while (streams < 2) await sleep(20);
    reads = 0;
    const write = async (at: number, title: string): Promise<unknown> => {
      const key = keyOf('folders.folder.svc.app', 'default', `a${at}`);
      const value = new TextEncoder().encode(JSON.stringify({ spec: { title } }));
      const change = { key, revision: at + 1, value };
      const links = { ...(at > 0 && { parent: `c${at - 1}` }) };
      await b.append(at, { commitId: `c${at}`, ...links, changes: [change], counters: new Map([['folders', at]]) });
      const found = (await next).value;
      next = commits.next();
      const expected = { id: `c${at}`, ...links, changes: [change], counters: new Map([['folders', at]]) };
      // One that is read from the log has its time, too.
      expect(found).to.deep.include({ end: at + 1, ...expected });
      const before = reads;
      expect((await a.get([key])).get(key)?.revision).to.equal(at + 1);
      reads = before;
      return found;
    };
    for (let at = 0; at < WRITES; at++) await write(at, 'small');
    expect(reads).to.equal(0);
    await write(WRITES, 'large'.repeat(300_000));
    expect(reads).to.equal(1);
    end.abort();
    await Promise.all([next, own]);
    await a.close();
    await b.close();
    const client = new MongoClient(uri);
    await client.db(database).dropDatabase();
    await client.close();
  });

  it('is closed by a server that is alone, and opened again when another server runs', async function () {
    const uri = await sharedMongodb(this);
    const database = freshDatabase();
    const seen: string[] = [];
    const onCommand = ({ command, commandName }: CommandStartedEvent): void => {
      if (commandName === 'aggregate' && command['aggregate'] === 'changes') seen.push('open');
      if (commandName === 'killCursors') seen.push('close');
    };
    const a = await openMongodb({ uri, database, domain: 'svc.app', timeouts: { alone: 100 }, onCommand });
    const end = new AbortController();
    const first = a.tail(0, end.signal)[Symbol.asyncIterator]().next();
    while (!seen.includes('close')) await sleep(20);
    expect(seen).to.deep.equal(['open', 'close']);
    const b = await openMongodb({ uri, database, domain: 'svc.app' });
    await b.append(0, { commitId: 'c1', changes: [change], counters: new Map() });
    expect((await first).value.end).to.equal(1);
    while (seen.length < 3) await sleep(20);
    expect(seen).to.deep.equal(['open', 'close', 'open']);
    end.abort();
    await a.close();
    await b.close();
    const client = new MongoClient(uri);
    await client.db(database).dropDatabase();
    await client.close();
  });
});

import { expect } from 'chai';
import type { Write } from '../../storage/transaction.js';
import { FOLDERS } from '../harness/resource.js';
import { openServer, type Server } from '../harness/server.js';
import { openStore } from '../harness/stores.js';
import { foldersOf } from './folders.js';

const MANY = 12_000;

describe('a large collection', () => {
  let server: Server;
  const folders = foldersOf(() => server);
  before(async () => {
    server = await openServer(await openStore('memory'));
    const { registry, stores } = server.api;
    const kind = stores.find((store) => store.kind.kind === 'Folder')?.kind;
    const writes = Array.from({ length: MANY }, (_, i): Write => {
      const metadata = { name: `f${i}`, namespace: 'default', uid: String(i) };
      const object = { apiVersion: FOLDERS.apiVersion, kind: 'Folder', metadata, spec: { title: `f${i}` } };
      return { key: `${kind?.qualified}/default/f${i}` as Write['key'], object };
    });
    await registry.writer.transact({ run: () => writes });
  });
  after(() => server.close());

  it('lets others have their turn while a watch of none of it looks through it', async () => {
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    let turns = 0;
    let counting = setImmediate(function count() {
      turns++;
      counting = setImmediate(count);
    });
    const frames = await folders.watch({ ...query, labelSelector: 'none=1' });
    const before = turns;
    expect((await frames.next())?.type).to.equal('BOOKMARK');
    clearImmediate(counting);
    await frames.close();
    expect(turns - before).to.be.at.least(2);
  });
});

import { expect } from 'chai';
import { kindNamed } from '../../registry/kind.js';
import { keyOf } from '../../storage/key.js';
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
    const { registry } = server.api;
    const { qualified } = kindNamed(registry.kinds, 'Folder');
    await registry.writer.transact({
      run: (state) => {
        for (let i = 0; i < MANY; i++) {
          const metadata = { name: `f${i}`, namespace: 'default', uid: String(i) };
          const object = { apiVersion: FOLDERS.apiVersion, kind: 'Folder', metadata, spec: { title: `f${i}` } };
          state.put(keyOf(qualified, 'default', `f${i}`), object);
        }
      },
    });
  });
  after(() => server.close());

  /** How often the event loop comes round before the first event, a bookmark, of a watch that selects nothing. */
  const turnsOf = async (query: Readonly<Record<string, string | number | boolean>>): Promise<number> => {
    let turns = 0;
    let counting = setImmediate(function count() {
      turns++;
      counting = setImmediate(count);
    });
    const frames = await folders.watch({ ...query, allowWatchBookmarks: true, labelSelector: 'none=1' });
    const before = turns;
    expect((await frames.next())?.type).to.equal('BOOKMARK');
    clearImmediate(counting);
    await frames.close();
    return turns - before;
  };

  it('lets others have their turn while a watch of none of it looks through what exists', async () => {
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    expect(await turnsOf(query)).to.be.at.least(2);
  });

  it('lets others have their turn while a watch of none of it looks through what has changed', async () => {
    const first = (await server.end()) - MANY + 1;
    // So short that its last bookmark is due at once.
    expect(await turnsOf({ resourceVersion: first, timeoutSeconds: 1 })).to.be.at.least(2);
  });
});

import { expect } from 'chai';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { keyOf } from '../../storage/key.js';
import { openMemory } from '../../storage/memory/backend.js';
import { readFrames } from '../harness/frames.js';
import { FOLDERS } from '../harness/resource.js';
import { ADMIN, openServer, type Server } from '../harness/server.js';

const MANY = 12_000;

const WATCH: Omit<ApiRequest, 'query' | 'signal'> = {
  method: 'GET',
  path: `/apis/${FOLDERS.apiVersion}/namespaces/default/${FOLDERS.resource}`,
  headers: {},
  rawHeaders: [],
  body: new Uint8Array(0),
  user: ADMIN,
  auditId: 'watch',
};
/** A query with a selector that no index serves, so that every object is checked. */
const queryOf = (parameters: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true', labelSelector: 'none', ...parameters });

describe('a large collection', () => {
  let server: Server;
  before(async () => {
    server = await openServer(openMemory());
    const { registry } = server.api;
    const { qualified } = registry.compiled.get('folder/Folder');
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

  /**
   * The number of turns of the event loop before a watch that selects nothing sends its first event, a bookmark. It
   * calls the handler directly, because a socket would add turns.
   */
  const turnsOf = async (parameters: Readonly<Record<string, string>>): Promise<number> => {
    const end = new AbortController();
    const { body } = await server.api.handler({ ...WATCH, query: queryOf(parameters), signal: end.signal });
    let turns = 0;
    let counting = setImmediate(function count() {
      turns++;
      counting = setImmediate(count);
    });
    const frames = readFrames(body as AsyncIterable<Uint8Array>, () => end.abort());
    expect((await frames.next())?.type).to.equal('BOOKMARK');
    clearImmediate(counting);
    await frames.close();
    return turns;
  };

  it('yields to the event loop while a watch without matches reads the existing objects', async () => {
    const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };
    expect(await turnsOf(query)).to.be.at.least(2);
  });

  it('yields to the event loop while a watch without matches reads the changes', async () => {
    const first = (await server.end()) - MANY + 1;
    // The watch is so short that its last bookmark is due at once.
    expect(await turnsOf({ resourceVersion: `${first}`, timeoutSeconds: '1' })).to.be.at.least(1);
  });
});

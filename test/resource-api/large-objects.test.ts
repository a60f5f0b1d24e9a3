import { expect } from 'chai';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { parsedAhead } from '../../registry/read/reader.js';
import { keyOf } from '../../storage/key.js';
import { openMemory } from '../../storage/memory/backend.js';
import { withTurns } from '../../storage/testing/passed-turns.js';
import { readFrames, type WatchEvent } from '../harness/frames.js';
import { ADMIN, openServer, type Server } from '../harness/server.js';

const API = 'dashboard.svc.app/v1beta1';
const AS = (as: string, type = 'json') => `application/${type};as=${as};v=v1;g=meta.k8s.io`;
const LARGE = { title: 'Large', list: Array.from({ length: 60_000 }, (_, id) => ({ id, title: `part ${id}` })) };

describe('a large object', function suite() {
  this.timeout(60_000);
  let server: Server;
  before(async () => {
    server = await openServer(openMemory());
  });
  // An object that was read is remembered for a while.
  beforeEach(async () => {
    await put('large', LARGE);
    await put('small', { title: 'Small' });
  });
  after(() => server.close());

  const put = async (name: string, spec: unknown): Promise<void> => {
    const { registry } = server.api;
    const { qualified } = registry.compiled.get('dashboard/Dashboard');
    const metadata = { name, namespace: 'default', uid: name, creationTimestamp: '2026-01-01T00:00:00Z' };
    await registry.writer.transact({
      run: (state) => {
        state.put(keyOf(qualified, 'default', name), {
          apiVersion: API,
          kind: 'Dashboard',
          metadata,
          spec,
        });
      },
    });
  };

  /** Calls the handler directly, because a socket would add turns. */
  const ask = (name: string, accept: string, query: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const request: ApiRequest = {
      method: 'GET',
      path: `/apis/${API}/namespaces/default/dashboards${name}`,
      headers: { accept },
      rawHeaders: [],
      body: new Uint8Array(0),
      user: ADMIN,
      auditId: 'large',
      query: new URLSearchParams(query),
      signal,
    };
    return server.api.handler(request);
  };
  const watched = async (accept: string, query: Readonly<Record<string, string>>) => {
    const end = new AbortController();
    const { body } = await ask('', accept, { watch: 'true', ...query }, end.signal);
    return readFrames(body as AsyncIterable<Uint8Array>, () => end.abort());
  };
  const contentOf = (event: WatchEvent | undefined): Readonly<Record<string, unknown>> => {
    const object = event?.object as unknown as Readonly<Record<string, unknown>>;
    const [row] = (object['rows'] ?? []) as readonly { readonly object: Readonly<Record<string, unknown>> }[];
    return row?.object ?? object;
  };

  for (const [what, accept, query] of [
    ['a table', AS('Table'), {}],
    ['a table with the objects', AS('Table'), { includeObject: 'Object' }],
    ['metadata', AS('PartialObjectMetadata'), {}],
  ] as const) {
    it(`in a watch as ${what} lets others have their turns while it reads what exists, and what changes`, async () => {
      const [frames, turns] = await withTurns(async () => {
        const one = await watched(accept, query);
        return { one, events: await one.take(2) };
      });
      const names = frames.events.map((event) => (contentOf(event)['metadata'] as { readonly name: string }).name);
      expect(names).to.deep.equal(['large', 'small']);
      expect(turns, 'what exists').to.be.greaterThan(90);
      await put('small', { title: 'Smaller' });
      await put('large', { ...LARGE, title: `Larger ${what}` });
      const [events, more] = await withTurns(() => frames.one.take(2));
      expect(events.map(({ type }) => type)).to.deep.equal(['MODIFIED', 'MODIFIED']);
      const changed = contentOf(events[1]);
      expect((changed['metadata'] as { readonly name: string }).name).to.equal('large');
      if ('includeObject' in query) expect(changed['spec']).to.deep.equal({ ...LARGE, title: `Larger ${what}` });
      expect(more, 'what changes').to.be.greaterThan(90);
      await frames.one.close();
    });
  }

  it('is written in steps, too, when a table has it', async () => {
    const entry = server.api.registry.reader.entry('dashboards.dashboard.svc.app', 'default', 'large');
    await parsedAhead(entry);
    const { signal } = new AbortController();
    const [{ body }, turns] = await withTurns(async () =>
      ask('/large', AS('Table'), { includeObject: 'Object' }, signal),
    );
    const table = JSON.parse(Buffer.from(body as Uint8Array).toString());
    expect(table.rows[0].object.spec).to.deep.equal(LARGE);
    expect(turns).to.be.greaterThan(3);
  });
});

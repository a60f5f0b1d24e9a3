import { expect } from 'chai';
import { migrationJob } from '../../apis/apiextensions/customresourcedefinition/migrate.js';
import { bodyOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { CRDS, DEFINITION, define, NAME, stored, version, widget, widgets } from './definitions.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const text = { type: 'string' };
const color = { type: 'string', default: 'red' };
const V1 = version('v1', { size: text });
const V2 = version('v2', { size: text, color });

interface Stored {
  readonly apiVersion: string;
  readonly spec: unknown;
}

/** The stored object. */
function inStore(server: Server, name: string): Stored {
  const entry = server.api.registry.reader.entry(NAME, 'default', name);
  const { apiVersion, spec } = JSON.parse(Buffer.from(entry?.value ?? []).toString()) as Stored;
  return { apiVersion, spec };
}

async function migrate({ api: { registry } }: Server): Promise<void> {
  await migrationJob(registry, 0).run(new AbortController().signal);
}

eachStore('a definition with another storage version', (server) => {
  const get = async (path: string) => bodyOf(await server().call('GET', path), 200) as unknown as Stored;
  const create = async (apiVersion: string, name: string) =>
    bodyOf(await server().call('POST', widgets(apiVersion), { body: widget(apiVersion, name, { size: 'L' }) }), 201);

  beforeEach(async () => {
    expect((await define(server(), [stored(V1), V2])).status).to.equal(201);
    for (const name of ['a', 'b', 'c', 'd']) await create('v1', name);
    expect((await define(server(), [V1, stored(V2)])).status).to.equal(200);
  });

  afterEach(async () => {
    await server().call('DELETE', DEFINITION);
    for (let i = 0; i < 100; i++) {
      if ((await server().call('GET', DEFINITION)).status === 404) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  it('serves what was stored before in every version, with the defaults of that version', async () => {
    const { json } = await server().call('GET', DEFINITION);
    expect((json() as unknown as { status: { storedVersions: string[] } }).status.storedVersions).to.deep.equal([
      'v1',
      'v2',
    ]);
    expect(inStore(server(), 'a')).to.deep.equal({ apiVersion: 'example.com/v1', spec: { size: 'L' } });
    const [one, two] = [await get(`${widgets('v1')}/a`), await get(`${widgets('v2')}/a`)];
    expect([one.apiVersion, one.spec]).to.deep.equal(['example.com/v1', { size: 'L' }]);
    expect([two.apiVersion, two.spec]).to.deep.equal(['example.com/v2', { size: 'L', color: 'red' }]);
    const list = bodyOf(await server().call('GET', widgets('v2')), 200) as unknown as { items: Stored[] };
    expect(list.items.map(({ apiVersion, spec }) => [apiVersion, spec])).to.deep.equal(
      Array.from({ length: 4 }, () => ['example.com/v2', { size: 'L', color: 'red' }]),
    );
  });

  it('shows it to watches, also when it is deleted, and selects it by its labels', async () => {
    const { frames } = await server().call('GET', widgets('v2'), { query: { watch: true } });
    const initial = await frames.take(4);
    expect(initial.map(({ object }) => (object as unknown as Stored).spec)).to.deep.equal(
      Array.from({ length: 4 }, () => ({ size: 'L', color: 'red' })),
    );
    await server().call('DELETE', `${widgets('v1')}/a`);
    const gone = await frames.next();
    const left = gone?.object as unknown as Stored | undefined;
    expect([gone?.type, left?.apiVersion, left?.spec]).to.deep.equal([
      'DELETED',
      'example.com/v2',
      { size: 'L', color: 'red' },
    ]);
    const since = initial.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(Number(gone?.object.metadata.resourceVersion)).to.be.above(Math.max(...since));
    await frames.close();
  });

  it('patches and updates it, and stores it in the new version', async () => {
    const patched = await server().call('PATCH', `${widgets('v1')}/a`, {
      body: { spec: { size: 'S' } },
      headers: MERGE,
    });
    expect((bodyOf(patched, 200) as unknown as Stored).apiVersion).to.equal('example.com/v1');
    expect(inStore(server(), 'a')).to.deep.equal({ apiVersion: 'example.com/v2', spec: { color: 'red', size: 'S' } });
    const body = widget('v2', 'b', { size: 'M', color: 'blue' });
    expect((await server().call('PUT', `${widgets('v2')}/b`, { body })).status).to.equal(200);
    expect(inStore(server(), 'b')).to.deep.equal({ apiVersion: 'example.com/v2', spec: { color: 'blue', size: 'M' } });
    const json = { 'content-type': 'application/apply-patch+yaml' };
    const query = { fieldManager: 'm', force: true };
    const applied = await server().call('PATCH', `${widgets('v2')}/c`, {
      body: widget('v2', 'c', { size: 'X' }),
      headers: json,
      query,
    });
    expect((bodyOf(applied, 200) as unknown as Stored).spec).to.deep.equal({ size: 'X', color: 'red' });
    expect(inStore(server(), 'c').apiVersion).to.equal('example.com/v2');
  });

  it('stores it in the new version also if an update changes nothing', async () => {
    const before = await get(`${widgets('v2')}/a`);
    const after = await server().call('PUT', `${widgets('v2')}/a`, { body: before });
    expect(after.status).to.equal(200);
    expect(inStore(server(), 'a').apiVersion).to.equal('example.com/v2');
  });

  it('keeps what waits for a finalizer in its form, and serves it right', async () => {
    const finalizers = ['example.com/f'];
    await server().call('PATCH', `${widgets('v2')}/a`, { body: { metadata: { finalizers } }, headers: MERGE });
    expect((await define(server(), [stored(V1), V2])).status).to.equal(200);
    expect((await server().call('DELETE', `${widgets('v2')}/a`)).status).to.equal(200);
    const one = await get(`${widgets('v1')}/a`);
    expect([one.apiVersion, one.spec]).to.deep.equal(['example.com/v1', { size: 'L' }]);
    await server().call('PATCH', `${widgets('v2')}/a`, { body: { metadata: { finalizers: null } }, headers: MERGE });
    expect((await server().call('GET', `${widgets('v2')}/a`)).status).to.equal(404);
  });

  it('has all objects in the new version after the migration, so that the old one can go', async () => {
    const without = async () => define(server(), [stored(V2)]);
    expect((await without()).status).to.equal(422);
    await migrate(server());
    for (const name of ['a', 'b', 'c', 'd']) {
      expect(inStore(server(), name)).to.deep.equal({
        apiVersion: 'example.com/v2',
        spec: { color: 'red', size: 'L' },
      });
    }
    const end = await server().end();
    await migrate(server());
    expect(await server().end()).to.equal(end);
    const body = { status: { storedVersions: ['v2'] } };
    bodyOf(await server().call('PATCH', `${DEFINITION}/status`, { body, headers: MERGE }), 200);
    expect((await without()).status).to.equal(200);
    const left = await get(`${widgets('v2')}/a`);
    expect(left.spec).to.deep.equal({ size: 'L', color: 'red' });
    expect((await server().call('GET', `${widgets('v1')}/a`)).status).to.equal(404);
  });

  it('gives old objects new defaults, and drops fields that have gone', async () => {
    const V3 = version('v2', { color: { ...color, default: 'green' }, shape: { type: 'string', default: 'round' } });
    expect((await define(server(), [V1, stored(V3)])).status).to.equal(200);
    expect((await get(`${widgets('v2')}/a`)).spec).to.deep.equal({ color: 'green', shape: 'round' });
    await server().restart();
    expect((await get(`${widgets('v2')}/a`)).spec).to.deep.equal({ color: 'green', shape: 'round' });
  });
});

eachStore('a deprecated version', (server) => {
  // Promise: contract 5.7
  it('warns with each answer, also with refusals, lists and watches', async () => {
    const old = { ...V1, deprecated: true };
    const older = version('v1beta1', { size: text }, { deprecated: true, deprecationWarning: 'use "v2"' });
    expect((await define(server(), [old, older, stored(V2)])).status).to.equal(201);
    const warned = async (method: string, path: string, more = {}) =>
      (await server().call(method, path, more)).headers['warning'];
    const usual = ['299 - "example.com/v1 Widget is deprecated; use example.com/v2 Widget"'];
    const body = widget('v1', 'a', { size: 'L' });
    expect(await warned('POST', widgets('v1'), { body })).to.deep.equal(usual);
    expect(await warned('POST', widgets('v1'), { body })).to.deep.equal(usual);
    expect(await warned('GET', `${widgets('v1')}/a`)).to.deep.equal(usual);
    expect(await warned('GET', `${widgets('v1')}/none`)).to.deep.equal(usual);
    expect(await warned('GET', widgets('v1'))).to.deep.equal(usual);
    expect(await warned('GET', widgets('v1beta1'))).to.deep.equal(['299 - "use \\"v2\\""']);
    const unknown = await warned('PUT', `${widgets('v1')}/a`, { body: widget('v1', 'a', { size: 'L', x: 1 }) });
    expect(unknown).to.deep.equal([...usual, '299 - "unknown field \\"spec.x\\""']);
    expect(await warned('GET', widgets('v2'))).to.equal(undefined);
    const watch = await server().call('GET', widgets('v1'), { query: { watch: true } });
    expect(watch.headers['warning']).to.deep.equal(usual);
    await watch.frames.close();
    expect((await server().call('GET', CRDS)).headers['warning']).to.equal(undefined);
  });
});

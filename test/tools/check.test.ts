import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { check } from '../../cmd/adminctl/store/check.js';
import type { Place } from '../../cmd/adminctl/store/place.js';
import type { Backend, Put } from '../../storage/backend.js';
import { type Key, keyOf } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import { overwritten, tablesIn } from '../faults/damage.js';
import { openServer } from '../harness/server.js';
import { LASTING, openAt, places, settingsOf, using } from './fixture.js';

interface Checked {
  readonly code: number;
  readonly text: string;
}

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ANNOTATIONS = '/api/annotations';
const folder = (name: string): Key => keyOf('folders.folder.svc.app', 'default', name);

async function checked(place: Place): Promise<Checked> {
  let text = '';
  const out = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  const code = await check({ settings: settingsOf(place) }, { out, err: out, env: {} });
  return { code, text };
}

for (const store of LASTING) {
  describe(`check (${store})`, function () {
    this.timeout(60_000);
    const { fresh } = places();
    let place: Place;

    beforeEach(async () => {
      place = fresh(store);
      const server = await openServer(await openAt(place));
      const post = async (path: string, body: object): Promise<void> => {
        const { status, text } = await server.call('POST', path, { body });
        expect(status, text).to.be.oneOf([200, 201]);
      };
      const named = (name: string, annotations = {}) => ({ metadata: { name, annotations }, spec: { title: name } });
      await post(FOLDERS, named('one'));
      await post(FOLDERS, named('two', { 'svc.app/folder': 'one' }));
      const whole = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder' };
      await post(FOLDERS, { ...whole, ...named('waiting', { 'svc.app/folder': 'later' }) });
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'held' }, stringData: { a: 'hidden' } };
      await post('/api/v1/namespaces/default/secrets', secret);
      await post('/api/teams', { name: 'ops' });
      for (const text of ['a', 'b']) await post(ANNOTATIONS, { text, tags: ['deploy', text], time: 1 });
      await server.close();
    });

    /** Writes an invalid object, as after a fault of the server or of a disk. */
    const spoil = (key: Key, change: (object: Record<string, never>) => object): Promise<void> =>
      using(place, async (backend) => {
        const previous = (await backend.get([key])).get(key);
        if (previous === undefined) throw new Error(`there is no ${key}`);
        const revision = (await backend.end()) + 1;
        const object = decodeObject(previous.value) as { readonly metadata: object };
        const next = change({
          ...object,
          metadata: { ...object.metadata, resourceVersion: String(revision) },
        } as never);
        await append(backend, { key, revision, previous, value: Buffer.from(JSON.stringify(next)) });
      });
    const append = async (backend: Backend, put: Put): Promise<void> =>
      backend.append(put.revision - 1, { commitId: String(Math.random()), changes: [put], counters: new Map() });

    it('finds nothing wrong with what a server has written', async () => {
      const { code, text } = await checked(place);
      expect(text).to.include('nothing is wrong');
      expect(code).to.equal(0);
    });

    it('names the field that is not as the schema says', async () => {
      await spoil(folder('one'), (object) => ({ ...object, spec: { title: 7 } }));
      const { code, text } = await checked(place);
      expect(text).to.match(/schema: folders\.folder\.svc\.app\/default\/one: spec\.title: /);
      expect(code).to.equal(1);
    });

    it('finds a reference to an object that is not there, a uid and an id that two objects have, and a wrong revision', async () => {
      const [one] = await using(place, async (backend) => [...(await backend.get([folder('one')])).values()]);
      const { metadata } = decodeObject(one?.value as Uint8Array) as { readonly metadata: Record<string, unknown> };
      await spoil(folder('two'), (object) => ({
        ...object,
        metadata: {
          ...(object['metadata'] as unknown as object),
          resourceVersion: '1',
          uid: metadata['uid'],
          labels: metadata['labels'],
          annotations: { 'svc.app/folder': 'gone' },
        },
      }));
      const { code, text } = await checked(place);
      expect(text).to.include('names folders.folder.svc.app/default/gone, which is not there');
      expect(text).to.include('has the same uid');
      expect(text).to.include('has the same value of the integer id');
      expect(text).to.include('it has the resourceVersion 1');
      expect(code).to.equal(1);
    });

    it('finds an object that waits for nothing', async () => {
      await spoil(folder('waiting'), (object) => ({
        ...object,
        metadata: { ...(object['metadata'] as unknown as object), annotations: { 'svc.app/folder': 'one' } },
      }));
      const { code, text } = await checked(place);
      expect(text).to.include('it waits, but everything that it names is there');
      expect(code).to.equal(1);
    });
  });
}

describe('check of the local files of objects', function () {
  this.timeout(60_000);
  const { embedded } = places();
  const title = 'a title that is easy to find';
  let place: Place;
  let objects = '';

  beforeEach(async () => {
    place = embedded();
    objects = 'data' in place ? join(place.data, 'objects') : '';
    const server = await openServer(await openAt(place), { objects: { path: objects } });
    const body = { metadata: { name: 'one' }, spec: { title } };
    expect((await server.call('POST', FOLDERS, { body })).status).to.equal(201);
    await server.close();
  });

  it('finds nothing wrong in those that a server wrote', async () => {
    const { code, text } = await checked(place);
    expect([code, text.includes('nothing is wrong')], text).to.deep.equal([0, true]);
  });

  it('finds other bytes in a file', async () => {
    for (const path of tablesIn(objects)) overwritten(path, (limit) => Math.floor(limit / 2));
    const { code, text } = await checked(place);
    expect(code).to.equal(1);
    expect(text).to.match(/^file: .*\.tables is damaged: .*A server makes the files again/m);
  });

  it('finds an object of the store with other bytes, although they are a valid object', async () => {
    const path = join('data' in place ? place.data : '', 'store', 'data.mdb');
    const bytes = readFileSync(path);
    for (let at = bytes.indexOf(title); at >= 0; at = bytes.indexOf(title, at + 1)) bytes.write('X', at);
    writeFileSync(path, bytes);
    const { code, text } = await checked(place);
    expect(code).to.equal(1);
    expect(text).to.match(/^bytes: folders\.folder\.svc\.app\/default\/one: the store has other bytes/m);
  });
});

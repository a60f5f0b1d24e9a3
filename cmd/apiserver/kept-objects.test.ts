import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend } from '../../storage/backend.js';
import { Engine } from '../../storage/engine/engine.js';
import { StorageError } from '../../storage/errors.js';
import { type MemoryStore, memoryStore, openMemory } from '../../storage/memory/backend.js';
import { expectCode } from '../../storage/testing/backend/fixture.js';
import { around } from '../../storage/testing/engine/around.js';
import { names } from '../../storage/testing/engine/foreign.js';
import { DASHBOARDS, DEFINITIONS, FOLDERS, NOTES, put } from '../../storage/testing/engine/resources.js';
import { type KeptObjects, type KeptObjectsOptions, openObjects } from './kept-objects.js';

const EAGER = { bytes: 1, age: 1, interval: 1 };

describe('the objects of a server', () => {
  let root = '';
  let store: MemoryStore;
  let loaded: string[];
  let objects: KeptObjects | undefined;
  const errors: unknown[] = [];
  const path = (): string => join(root, 'objects');
  const content = (): string => {
    const all = readdirSync(path()).map((name) => readFileSync(join(path(), name), 'latin1'));
    return all.join('\n');
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kept-objects-'));
    store = memoryStore();
    errors.length = 0;
  });
  afterEach(async () => {
    await close();
    rmSync(root, { recursive: true });
  });

  function backend(overrides: Partial<Backend> = {}): Backend {
    const own = openMemory(store);
    loaded = [];
    const load: Backend['load'] = (resource) => {
      loaded.push(resource);
      return own.load(resource);
    };
    return around(own, { load, ...overrides });
  }

  function options(changed: Partial<KeptObjectsOptions> = {}): KeptObjectsOptions {
    const onError = (error: unknown) => errors.push(error);
    return { path: path(), settings: { domain: 'svc.app' }, isEncrypted: () => false, onError, ...changed };
  }

  async function open(changed: Partial<KeptObjectsOptions> = {}, own = backend()): Promise<KeptObjects> {
    objects = await openObjects(own, { definitions: DEFINITIONS }, options(changed));
    return objects;
  }

  async function close(): Promise<void> {
    await objects?.close();
    objects = undefined;
  }

  async function write({ cacher }: KeptObjects, resource: string, name: string): Promise<void> {
    const engine = new Engine(openMemory(store), cacher);
    await engine.transact(put(resource, name, { title: `the title of ${name}` }));
    await engine.close();
  }

  it('are kept in a folder when it stops, and are there at the next start without reading them from the store', async () => {
    await write(await open(), FOLDERS, 'a');
    expect(loaded).to.deep.equal([FOLDERS, DASHBOARDS, NOTES]);
    await close();
    expect(content()).to.include('the title of a');
    const { cacher } = await open();
    expect([loaded, names(cacher), errors]).to.deep.equal([[], ['a'], []]);
  });

  it('are written while it runs', async () => {
    const { cacher } = await open({ limits: EAGER });
    await write({ cacher, close }, FOLDERS, 'a');
    while (cacher.resource(FOLDERS).inMemory > 0) await setTimeout(2);
    expect(content()).to.include('the title of a');
    expect(names(cacher)).to.deep.equal(['a']);
  });

  it('are read from the store again if a setting is another one', async () => {
    await write(await open(), FOLDERS, 'a');
    await close();
    const { cacher } = await open({ settings: { domain: 'example.org' } });
    expect([loaded, names(cacher)]).to.deep.equal([[FOLDERS, DASHBOARDS, NOTES], ['a']]);
  });

  it('are in no file if they are encrypted in the store', async () => {
    const isEncrypted = (resource: string): boolean => resource === DASHBOARDS;
    const opened = await open({ isEncrypted, limits: EAGER });
    await write(opened, DASHBOARDS, 'secret');
    await write(opened, FOLDERS, 'a');
    await close();
    expect(content()).to.include('the title of a').and.not.include('the title of secret');
    const { cacher } = await open({ isEncrypted });
    expect(loaded).to.deep.equal([DASHBOARDS]);
    expect(cacher.resource(DASHBOARDS).size).to.equal(1);
  });

  it('are in memory, and in no folder, if none is given', async () => {
    objects = await openObjects(backend(), { definitions: DEFINITIONS }, undefined);
    await write(objects, FOLDERS, 'a');
    expect([names(objects.cacher), readdirSync(root)]).to.deep.equal([['a'], []]);
  });

  it('are refused to a second server in the same folder', async () => {
    await open();
    await expectCode(openObjects(backend(), { definitions: DEFINITIONS }, options()), 'refused');
  });

  it('leave the folder free if the store cannot be read', async () => {
    const unavailable = () => Promise.reject(new StorageError('unavailable', 'on purpose'));
    await expectCode(open({}, backend({ counters: unavailable })), 'unavailable');
    await write(await open(), FOLDERS, 'a');
    await close();
    expect(names((await open()).cacher)).to.deep.equal(['a']);
  });

  it('stay in memory if they cannot be written, and the server is told', async () => {
    const opened = await open({ limits: EAGER });
    rmSync(path(), { recursive: true });
    writeFileSync(path(), '');
    await write(opened, FOLDERS, 'a');
    while (errors.length === 0) await setTimeout(2);
    expect(String(errors[0])).to.include('ENOTDIR');
    await write(opened, FOLDERS, 'b');
    expect(names(opened.cacher)).to.deep.equal(['a', 'b']);
  });
});

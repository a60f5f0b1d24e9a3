import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { Cacher } from '../cacher/cacher.js';
import { type MemoryStore, memoryStore, openMemory } from '../memory/backend.js';
import type { ResourceDefinition } from '../state/resource.js';
import { told } from '../testing/engine/fixture.js';
import { create, DEFINITIONS, FOLDERS, put, remove } from '../testing/engine/resources.js';
import { Engine } from './engine.js';

interface Running {
  readonly engine: Engine;
  readonly errors: unknown[];
  close(): Promise<void>;
}

async function start(store: MemoryStore, definitions: readonly ResourceDefinition[]): Promise<Running> {
  const backend = openMemory(store, Date.now, true);
  const errors: unknown[] = [];
  const cacher = await Cacher.open(backend, { definitions, onError: (error) => errors.push(error) });
  const engine = new Engine(backend, cacher, { catchUpWithin: 50 });
  const close = async (): Promise<void> => {
    await engine.close();
    await cacher.close();
    await backend.close();
  };
  return { engine, errors, close };
}

describe('a change of another server that this server cannot apply', () => {
  const running: Running[] = [];
  let isReadable = false;
  const picky = DEFINITIONS.map(
    (definition): ResourceDefinition => ({
      ...definition,
      extract: (object, key) => {
        if (!isReadable && key.endsWith('/strange')) throw new Error('cannot be read');
        return definition.extract(object, key);
      },
    }),
  );
  const servers = async (): Promise<readonly [Running, Running]> => {
    const store = memoryStore();
    const pair = [await start(store, DEFINITIONS), await start(store, picky)] as const;
    running.push(...pair);
    return pair;
  };
  beforeEach(() => {
    isReadable = false;
  });
  afterEach(() => Promise.all(running.splice(0).map((one) => one.close())));

  it('fails waiting writes as unavailable, both valid ones and ones that would be refused', async () => {
    const [other, here] = await servers();
    await other.engine.transact(put(FOLDERS, 'strange', {}));
    expect(await told(here.engine.transact(create(FOLDERS, 'a')))).to.equal('unavailable');
    expect(await told(here.engine.transact(remove(FOLDERS, 'b')))).to.equal('unavailable');
    expect(here.errors.map(String)).to.include('Error: cannot be read');
    expect(await told(other.engine.transact(create(FOLDERS, 'a')))).to.deep.equal([2]);
  });

  it('does no harm once it can be applied', async () => {
    const [other, here] = await servers();
    await other.engine.transact(put(FOLDERS, 'strange', {}));
    expect(await told(here.engine.transact(create(FOLDERS, 'a')))).to.equal('unavailable');
    isReadable = true;
    let outcome = await told(here.engine.transact(create(FOLDERS, 'a')));
    while (outcome === 'unavailable') outcome = await told(here.engine.transact(create(FOLDERS, 'a')));
    expect(outcome).to.deep.equal([2]);
  });
});

describe('a change of this server that its store promises and never gives', () => {
  it('fails the writes that wait for it as unavailable, and the engine can be closed', async () => {
    const inner = openMemory();
    let end = 0;
    const backend: Backend = { ...inner, end: async () => end };
    const cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
    const engine = new Engine(backend, cacher, { catchUpWithin: 20 });
    end = 7;
    expect(await told(engine.transact(remove(FOLDERS, 'a')))).to.equal('unavailable');
    const waiting = told(engine.transact(remove(FOLDERS, 'a')));
    await engine.close();
    expect(await waiting).to.equal('unavailable');
    await cacher.close();
    await inner.close();
  });
});

import { expect } from 'chai';
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

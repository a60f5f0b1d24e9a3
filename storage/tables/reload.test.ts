import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { Cacher } from '../cacher/cacher.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { Definitions } from '../state/definitions.js';
import { expectCode } from '../testing/backend/fixture.js';
import { around, Gate, lagging } from '../testing/engine/around.js';
import { names, write } from '../testing/engine/foreign.js';
import { DEFINITIONS } from '../testing/engine/resources.js';
import { TableFolder } from './folder/folder.js';
import { eachFolder } from './testing/objects.js';
import { memoryStoreOf, startKept } from './testing/server.js';
import { Checkpointer } from './work/checkpointer.js';

describe('a server that was too far behind, and loads its state again', () => {
  const root = eachFolder();
  const path = (): string => join(root(), 'objects');
  const store = { data: memoryStore() };
  const closing: { close(): Promise<void> }[] = [];
  let backend: Backend;

  beforeEach(() => {
    store.data = memoryStore();
    backend = openMemory(store.data, Date.now, true);
  });
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
    await backend.close();
  });

  /** A server whose tail waits at the gate. */
  async function open(gate: Gate, overrides: Partial<Backend> = {}) {
    const own = around(lagging(backend, gate), overrides);
    const folder = await TableFolder.open(
      { path: path(), program: 'test', inMemory: () => false },
      new Definitions(DEFINITIONS),
    );
    const cacher = await Cacher.open(own, { definitions: DEFINITIONS, folder });
    closing.push(cacher, folder);
    const options = { backend, cacher, folder, limits: { bytes: 1, age: 1, interval: 1 }, onError: () => undefined };
    return { cacher, folder, checkpointer: new Checkpointer(options) };
  }

  /** Others write, and the log is compacted beyond where the server is. */
  async function overtake(gate: Gate, all: readonly string[]): Promise<void> {
    gate.shut();
    await write(backend, all);
    await write(backend, all);
    await backend.compact(await backend.end());
    gate.open();
  }

  async function expectAfterRestart(all: readonly string[]): Promise<void> {
    for (const one of closing.splice(0)) await one.close();
    const server = await startKept(memoryStoreOf(store.data), { path: path() });
    expect([server.reads.loaded, names(server.cacher)]).to.deep.equal([[], all]);
    await server.kill();
  }

  it('keeps the new state in place of the former, whose tables stay readable for those who have them', async () => {
    const gate = new Gate();
    const { cacher, folder, checkpointer } = await open(gate);
    await write(backend, ['a', 'b']);
    await cacher.reach(2);
    await checkpointer.flush();
    const before = cacher.state;
    await overtake(gate, ['c', 'd']);
    await cacher.reach(6);
    expect(names(cacher)).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(folder.position).to.equal(undefined);
    expect(names({ state: before } as Cacher)).to.deep.equal(['a', 'b']);
    await checkpointer.flush();
    expect([folder.position?.revision, names(cacher)]).to.deep.equal([6, ['a', 'b', 'c', 'd']]);
    await expectAfterRestart(['a', 'b', 'c', 'd']);
  });

  it('gives up a flush of the former state, leaves no file of it, and flushes again', async () => {
    const gate = new Gate();
    const { cacher, folder, checkpointer } = await open(gate);
    await write(backend, ['a', 'b']);
    await cacher.reach(2);
    const release = cacher.hold();
    const flush = expectCode(checkpointer.flush(), 'unavailable');
    await overtake(gate, ['c']);
    await cacher.reach(4);
    release();
    await flush;
    expect([folder.files, folder.position]).to.deep.equal([[], undefined]);
    expect(readdirSync(path())).to.deep.equal(['lock', 'writer']);
    await checkpointer.flush();
    expect(names(cacher)).to.deep.equal(['a', 'b', 'c']);
    await expectAfterRestart(['a', 'b', 'c']);
  });

  it('writes nothing while it loads', async () => {
    const [gate, loading] = [new Gate(), new Gate()];
    const load = async function* (resource: string) {
      await loading.pass();
      yield* backend.load(resource);
    };
    const { cacher, folder, checkpointer } = await open(gate, { load });
    await write(backend, ['a']);
    await cacher.reach(1);
    loading.shut();
    await overtake(gate, ['b']);
    await loading.reached();
    expect(cacher.load).to.equal(undefined);
    await checkpointer.flush();
    expect([readdirSync(path()), folder.position]).to.deep.equal([['lock', 'writer'], undefined]);
    loading.open();
    await cacher.reach(3);
    await checkpointer.flush();
    await expectAfterRestart(['a', 'b']);
  });
});

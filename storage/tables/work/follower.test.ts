import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Gate, lagging } from '../../testing/engine/around.js';
import { names } from '../../testing/engine/foreign.js';
import { FOLDERS, key, objectOf } from '../../testing/engine/resources.js';
import { eachFolder } from '../testing/objects.js';
import { change, expectSame, type KeptServer, memoryStoreOf, type Store, startKept } from '../testing/server.js';

/** Four files of about the same size are merged. */
const MERGED = 4;

describe('a process that follows the files of another one', () => {
  const root = eachFolder();
  const path = (): string => join(root(), 'objects');
  const running = new Set<KeptServer>();
  let store: Store;
  let writer: KeptServer;

  beforeEach(async () => {
    store = memoryStoreOf();
    writer = await start();
  });
  afterEach(async () => {
    for (const server of running) await server.kill();
    running.clear();
  });

  async function start(of: Store = store): Promise<KeptServer> {
    const server = await startKept(of, { path: path(), isShared: true });
    running.add(server);
    return server;
  }

  async function kill(server: KeptServer): Promise<void> {
    running.delete(server);
    await server.kill();
  }

  /** A process writes objects to a file. */
  async function keep(...all: readonly string[]): Promise<void> {
    for (const name of all) await change(writer, name, { title: name, parent: 'p' });
    await writer.checkpointer.flush();
  }

  async function look({ cacher, follower, errors, backend }: KeptServer): Promise<void> {
    await cacher.reach(await backend.end());
    await follower.poll();
    expect(errors).to.deep.equal([]);
  }

  const tables = (): readonly string[] => readdirSync(path()).filter((name) => name.endsWith('.tables'));
  const files = ({ folder }: KeptServer): readonly string[] => folder.files.map(({ name }) => name);
  const inMemory = ({ cacher }: KeptServer): number => cacher.resource(FOLDERS).inMemory;
  const failureOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', String);

  it('starts with them, and reads no objects from the store', async () => {
    await keep('a', 'b');
    const follower = await start();
    expect([follower.folder.isWriter, follower.reads.loaded, inMemory(follower)]).to.deep.equal([false, [], 0]);
    await expectSame(follower);
  });

  it('has objects in memory until there are files, and then in these', async () => {
    await change(writer, 'a', { title: 'a' });
    const follower = await start();
    expect([follower.reads.loaded.includes(FOLDERS), inMemory(follower)]).to.deep.equal([true, 1]);
    await look(follower);
    expect(inMemory(follower)).to.equal(1);
    await keep('b');
    await look(follower);
    const { bytes } = follower.cacher.resource(FOLDERS);
    expect([inMemory(follower), bytes, files(follower)]).to.deep.equal([0, 0, files(writer)]);
    await expectSame(follower);
  });

  it('has in memory what was written after the newest file, and nothing else', async () => {
    await keep('a', 'b', 'c');
    const follower = await start();
    await keep('d', 'a');
    await change(follower, 'b', { title: 'later' });
    await change(follower, 'c');
    expect(inMemory(follower)).to.equal(3);
    await look(follower);
    expect([inMemory(follower), names(follower.cacher)]).to.deep.equal([1, ['a', 'b', 'd']]);
    await expectSame(follower);
  });

  it('opens a file once, and lets go of those that were merged', async () => {
    await keep('a');
    const follower = await start();
    const [first] = follower.folder.files;
    await keep('b');
    await look(follower);
    expect(follower.folder.files[0]).to.equal(first);
    for (const name of ['c', 'd', 'e', 'f'].slice(0, MERGED)) await keep(name);
    await look(follower);
    expect(files(follower)).to.deep.equal(files(writer));
    expect(tables()).to.have.members(files(writer));
    expect(tables().length).to.be.lessThan(MERGED);
    await expectSame(follower);
  });

  it('reads what it has when the files are gone, also an earlier state, by which a client goes through pages', async () => {
    await keep('a', 'b', 'c');
    const follower = await start();
    const { revision } = follower.cacher;
    const page = follower.cacher.past.at(FOLDERS, revision);
    follower.cacher.past.keep(FOLDERS, revision, page);
    for (const name of ['d', 'e', 'f', 'a', 'g']) await keep(name);
    await change(writer, 'b');
    await look(follower);
    for (const name of tables()) rmSync(join(path(), name));
    const titles = [...page.entries('', '~')].map((entry) => objectOf(entry).spec.title);
    expect(titles).to.deep.equal(['a', 'b', 'c']);
    expect(follower.cacher.past.at(FOLDERS, revision)).to.equal(page);
    await expectSame(follower);
  });

  it('does not change watches and earlier states when files take the place of memory', async () => {
    const follower = await start();
    await change(writer, 'a', { title: 'first' });
    await follower.cacher.reach(1);
    const ring = follower.cacher.ring(FOLDERS);
    const { version } = follower.cacher.resource(FOLDERS);
    await writer.checkpointer.flush();
    await look(follower);
    expect(follower.cacher.resource(FOLDERS).version).to.equal(version);
    const event = ring.at(ring.position(0));
    expect([event?.key, event?.current?.revision]).to.deep.equal([key(FOLDERS, 'a'), 1]);
    // It is the object of the file, so that the one in memory can go.
    expect(event?.current?.footprint).to.be.lessThan(1000);
    await keep('b');
    expect([...follower.cacher.past.at(FOLDERS, 1).entries('', '~')].map((one) => one.revision)).to.deep.equal([1]);
  });

  it('keeps what it has if a file is damaged, and uses the next ones', async () => {
    await keep('a');
    const follower = await start();
    await keep('b');
    const [, second = ''] = files(writer);
    truncateSync(join(path(), second), 10);
    await follower.cacher.reach(2);
    expect(await failureOf(follower.follower.poll())).to.include('damaged');
    expect([inMemory(follower), files(follower)]).to.deep.equal([1, files(writer).slice(0, 1)]);
    await expectSame(follower);
  });

  it('keeps what it has if there is no manifest any more', async () => {
    await keep('a');
    const follower = await start();
    await keep('b');
    await writer.folder.clear();
    await look(follower);
    expect(inMemory(follower)).to.equal(1);
    await expectSame(follower);
  });

  it('does not use the files of another store', async () => {
    await keep('a', 'b');
    const other = await start(memoryStoreOf());
    expect([names(other.cacher), files(other)]).to.deep.equal([[], []]);
    expect(await failureOf(other.follower.poll())).to.include('another store');
    await change(other, 'x', { title: 'x' });
    await expectSame(other);
  });

  it('uses the files when it must load its state again, because it was too far behind', async () => {
    await keep('a', 'b');
    const gate = new Gate();
    const follower = await start({ ...store, open: async () => lagging(await store.open(), gate) });
    gate.shut();
    for (const names of [['c'], ['d', 'a']]) await keep(...names);
    await writer.backend.compact(await writer.backend.end());
    gate.open();
    await follower.cacher.reach(5);
    expect([inMemory(follower), files(follower)]).to.deep.equal([0, files(writer)]);
    await expectSame(follower);
    await keep('e');
    await look(follower);
    expect(inMemory(follower)).to.equal(0);
    await expectSame(follower);
  });

  it('writes when the process has ended that wrote, and removes what that has left over', async () => {
    await keep('a');
    const [second, third] = [await start(), await start()];
    await keep('b');
    await writer.folder.write(async () => ({}));
    await change(writer, 'c', { title: 'c' });
    await kill(writer);
    await look(second);
    await look(third);
    expect([second.folder.isWriter, third.folder.isWriter]).to.deep.equal([true, false]);
    expect([tables().length, inMemory(second)]).to.deep.equal([2, 1]);
    writer = second;
    await keep('d');
    await look(third);
    expect([inMemory(third), files(third)]).to.deep.equal([0, files(second)]);
    await expectSame(second);
    await expectSame(third);
  });

  for (const [what, damage] of Object.entries({
    'the newest file is damaged': () => truncateSync(join(path(), tables().toSorted().at(-1) ?? ''), 10),
    'the manifest is gone': () => rmSync(join(path(), 'manifest')),
  }))
    it(`writes what it has again if it begins to write and ${what}`, async () => {
      await keep('a');
      const follower = await start();
      for (const name of ['b', 'c', 'd', 'e', 'f']) await keep(name);
      expect(tables()).not.to.include(files(follower)[0]);
      await follower.cacher.reach(6);
      await kill(writer);
      damage();
      await follower.follower.poll();
      expect([follower.folder.isWriter, follower.folder.position]).to.deep.equal([true, undefined]);
      await follower.checkpointer.flush();
      expect(tables()).to.have.members(files(follower));
      await expectSame(follower);
      await kill(follower);
      const again = await start();
      expect(again.reads.loaded).to.deep.equal([]);
      await expectSame(again);
    });

  it('has no name of a file twice, whoever wrote it', async () => {
    const seen = new Set<string>();
    for (let i = 0; i < 5; i++) {
      await writer.folder.clear();
      await keep(`n${i}`);
      for (const name of files(writer)) expect(seen.has(name)).to.equal(false);
      for (const name of files(writer)) seen.add(name);
      await kill(writer);
      rmSync(path(), { recursive: true });
      writer = await start();
    }
  });
});

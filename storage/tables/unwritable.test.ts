import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { FOLDERS } from '../testing/engine/resources.js';
import { useSmallDisk } from '../testing/small-disk.js';
import { eachFolder } from './testing/objects.js';
import { change, expectSame, type KeptServer, memoryStoreOf, type Store, startKept } from './testing/server.js';

const failureOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', String);

/** Objects in memory and in tables of the server. */
function placesOf({ cacher }: KeptServer): readonly [inMemory: number, tables: number] {
  const state = cacher.state.resource(FOLDERS);
  return [state.inMemory, state.parts.length];
}

describe('a server that cannot write what it keeps', () => {
  const root = eachFolder();
  const path = (): string => join(root(), 'objects');
  const away = (): string => join(root(), 'away');
  let store: Store;
  let server: KeptServer;

  beforeEach(async () => {
    store = memoryStoreOf();
    server = await startKept(store, { path: path() });
    for (const name of ['a', 'b', 'c']) await change(server, name, { title: name });
    await server.checkpointer.flush();
  });
  afterEach(() => server.kill());

  /** Nothing can be written any more: a file is where the folder was. */
  function block(): void {
    renameSync(path(), away());
    writeFileSync(path(), '');
  }

  function unblock(): void {
    rmSync(path());
    renameSync(away(), path());
  }

  async function restart(): Promise<void> {
    await server.kill();
    server = await startKept(store, { path: path() });
  }

  it('keeps new objects in memory, reads and writes on, and writes all of them later', async () => {
    block();
    await change(server, 'd', { title: 'd' });
    await change(server, 'a');
    expect(await failureOf(server.checkpointer.flush())).to.include('ENOTDIR');
    expect(placesOf(server)).to.deep.equal([1, 1]);
    await change(server, 'e', { title: 'e', parent: 'b' });
    await expectSame(server);
    expect(await failureOf(server.checkpointer.flush())).to.include('ENOTDIR');
    unblock();
    await change(server, 'b', { title: 'later' });
    await server.checkpointer.flush();
    expect(placesOf(server)).to.deep.equal([0, 2]);
    await expectSame(server);
    await restart();
    expect(server.reads.loaded).to.deep.equal([]);
    await expectSame(server);
  });

  it('tells of it, and tries again when it ends', async () => {
    block();
    await change(server, 'd', { title: 'd' });
    server.checkpointer.start();
    while (server.errors.length === 0) await setTimeout(5);
    expect(String(server.errors[0])).to.include('ENOTDIR');
    await change(server, 'e', { title: 'e' });
    unblock();
    await server.checkpointer.close();
    expect(server.errors).to.have.length(1);
    await restart();
    expect([server.reads.loaded, server.folder.position?.revision]).to.deep.equal([[], 5]);
    await expectSame(server);
  });

  it('starts with what it had kept before, and the log, if it could write nothing since', async () => {
    block();
    await change(server, 'd', { title: 'd' });
    await change(server, 'a');
    await server.checkpointer.close();
    expect(server.errors.map(String).join()).to.include('ENOTDIR');
    unblock();
    await restart();
    expect([server.reads.loaded, server.reads.changes]).to.deep.equal([[], [4, 5]]);
    await expectSame(server);
  });

  it('goes on with tables that are written, but not kept yet, and keeps them later', async () => {
    // The next manifest cannot be written.
    mkdirSync(join(path(), 'manifest.next'));
    await change(server, 'd', { title: 'd' });
    await change(server, 'a');
    for (let times = 0; times < 2; times++)
      expect(await failureOf(server.checkpointer.flush())).to.include('manifest.next');
    expect(placesOf(server)).to.deep.equal([0, 2]);
    expect(server.folder.position?.revision).to.equal(3);
    await expectSame(server);
    rmdirSync(join(path(), 'manifest.next'));
    await change(server, 'd');
    await server.checkpointer.flush();
    expect(server.folder.position?.revision).to.equal(6);
    await restart();
    expect(server.reads.loaded).to.deep.equal([]);
    await expectSame(server);
  });

  it('has the same state after the next start, if files were written that were never kept', async () => {
    mkdirSync(join(path(), 'manifest.next'));
    await change(server, 'd', { title: 'd' });
    await change(server, 'a');
    await failureOf(server.checkpointer.flush());
    rmdirSync(join(path(), 'manifest.next'));
    await restart();
    expect([server.reads.loaded, server.reads.changes]).to.deep.equal([[], [4, 5]]);
    await expectSame(server);
  });
});

describe('a server whose disk has a reserve for the store', () => {
  // The least reserve of a disk is 64 MiB, and 48 MiB of it are for the store alone.
  const disk = useSmallDisk(140);
  const reserve = 2 ** 30;
  const text = (name: string) => ({ text: name.padEnd(2 ** 20, 'x') });
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const freeMiB = (): number => {
    const { bavail, bsize } = statfsSync(disk());
    return (bavail * bsize) / 2 ** 20;
  };
  const store = memoryStoreOf();
  let server: KeptServer;

  before(async () => {
    server = await startKept(store, { path: join(disk(), 'objects'), reserve });
  });
  after(() => server.kill());

  /** Leaves about so many MiB. */
  const leave = (mebibytes: number): void => {
    rmSync(join(disk(), 'ballast'), { force: true });
    writeFileSync(join(disk(), 'ballast'), Buffer.alloc((freeMiB() - mebibytes) * 2 ** 20));
  };

  it('merges no files into it, but writes what is in memory, up to the part that is for the store alone', async () => {
    for (const prefix of ['a', 'b', 'c']) {
      for (const name of names(prefix, 4)) await change(server, name, text(name));
      await server.checkpointer.flush();
    }
    leave(60);
    for (const name of names('d', 4)) await change(server, name, text(name));
    await server.checkpointer.flush();
    expect([placesOf(server), server.folder.files.length]).to.deep.equal([[0, 4], 4]);
    leave(52);
    const files = readdirSync(join(disk(), 'objects'));
    for (const name of names('e', 6)) await change(server, name, text(name));
    expect(await failureOf(server.checkpointer.flush())).to.include('kept for the store (storage.reserve)');
    expect([placesOf(server), readdirSync(join(disk(), 'objects'))]).to.deep.equal([[6, 4], files]);
    await expectSame(server);
  });

  it('makes room by writing files again of which most is gone', async () => {
    // What is removed stays on the disk for as long as it is mapped.
    const mebibytes = (): number =>
      server.folder.files.reduce((sum, { name }) => sum + statSync(join(disk(), 'objects', name)).size, 0) / 2 ** 20;
    const before = mebibytes();
    for (const name of ['a', 'b'].flatMap((prefix) => names(prefix, 3))) await change(server, name);
    server.checkpointer.start();
    while (mebibytes() > before - 5) await setTimeout(5);
    await server.stop();
    server = await startKept(store, { path: join(disk(), 'objects'), reserve });
    await expectSame(server);
  });

  it('merges again when there is space', async () => {
    rmSync(join(disk(), 'ballast'));
    for (const prefix of ['f', 'g']) {
      for (const name of names(prefix, 4)) await change(server, name, text(name));
      await server.checkpointer.flush();
    }
    expect(placesOf(server)[0]).to.equal(0);
    expect(server.folder.files.length).to.be.lessThan(5);
    await expectSame(server);
  });

  it('removes a file of which all is gone, also when the store alone has room', async () => {
    await server.checkpointer.flush();
    // So many that their file is merged with no other one.
    const before = new Set(server.folder.files.map(({ name }) => name));
    for (const name of names('h', 30)) await change(server, name, text(name));
    await server.checkpointer.flush();
    const made = server.folder.files.map(({ name }) => name).filter((name) => !before.has(name));
    leave(10);
    for (const name of names('h', 30)) await change(server, name);
    const isGone = (): boolean => server.folder.files.every(({ name }) => !made.includes(name));
    server.checkpointer.start();
    while (!isGone()) await setTimeout(5);
    await server.stop();
    server = await startKept(store, { path: join(disk(), 'objects'), reserve });
    await expectSame(server);
  });
});

describe('a server whose disk is full', () => {
  const disk = useSmallDisk();

  it('leaves no part of a file, keeps the objects in memory, and writes them once there is space', async () => {
    const path = join(disk(), 'objects');
    const ballast = join(disk(), 'ballast');
    const store = memoryStoreOf();
    let server = await startKept(store, { path });
    try {
      await change(server, 'first', { title: 'first' });
      await server.checkpointer.flush();
      const names = readdirSync(path);
      writeFileSync(ballast, Buffer.alloc(10 * 2 ** 20, 'x'));
      for (let i = 0; i < 40; i++) await change(server, `n${i}`, { text: `${i}`.padEnd(100_000, 'x') });
      expect(await failureOf(server.checkpointer.flush())).to.include('ENOSPC');
      expect([readdirSync(path), placesOf(server)]).to.deep.equal([names, [40, 1]]);
      await change(server, 'n7');
      await expectSame(server);
      unlinkSync(ballast);
      await server.checkpointer.flush();
      expect(placesOf(server)).to.deep.equal([0, 2]);
      await expectSame(server);
      await server.kill();
      server = await startKept(store, { path });
      expect(server.reads.loaded).to.deep.equal([]);
      await expectSame(server);
    } finally {
      await server.kill();
    }
  });

  it('starts nevertheless, with the objects in memory', async () => {
    const ballast = join(disk(), 'ballast');
    const store = memoryStoreOf();
    const elsewhere = mkdtempSync(join(tmpdir(), 'tables-before.'));
    let server = await startKept(store, { path: elsewhere });
    for (let i = 0; i < 100; i++) await change(server, `n${i}`, { text: `${i}`.padEnd(200_000, 'x') });
    await server.kill();
    rmSync(elsewhere, { recursive: true });
    expect(() => writeFileSync(ballast, Buffer.alloc(20 * 2 ** 20, 'x'))).to.throw('ENOSPC');
    truncateSync(ballast, statSync(ballast).size - 64 * 1024);
    server = await startKept(store, { path: join(disk(), 'full') });
    try {
      await expectSame(server);
    } finally {
      await server.kill();
      rmSync(ballast);
    }
  });
});

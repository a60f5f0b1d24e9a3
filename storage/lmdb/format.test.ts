import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { messageOf } from '../../pkg/system/errors/message.js';
import { isStorageError, type StorageError } from '../errors.js';
import { openLmdb } from './open.js';
import { openLmdbReads } from './reads.js';
import { openLmdbReceiver } from './receiver.js';
import { openLmdbSnapshot } from './snapshot.js';
import { META } from './tables.js';
import { DOMAIN, eachFolder, withStore, withTables } from './testing/folder.js';

async function refusalOf(work: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await work.catch((error: unknown) => error);
  if (isStorageError(error, 'refused')) return error;
  throw new Error(`it was not refused: ${String(error)}`);
}

describe('lmdb: data of another form', () => {
  const folder = eachFolder();
  /** Everything that opens a store to read it. Each must leave the folder free for others. */
  const openers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    server: (path) => openLmdb({ path, domain: DOMAIN }),
    worker: async (path) => openLmdbReads({ path, domain: DOMAIN }),
    snapshot: openLmdbSnapshot,
  };

  for (const [name, open] of Object.entries(openers)) {
    it(`is refused with its format: ${name}`, async () => {
      await withStore(folder(), async () => undefined);
      for (const format of [4, '1']) {
        await withTables(folder(), ({ meta }) => meta.put(META.format, format, 1));
        const { message } = await refusalOf(open(folder()));
        expect(message).to.match(/^The data in/);
        expect(message).to.include(`${folder()} has format ${JSON.stringify(format)}; this server reads format 3`);
      }
      await withTables(folder(), ({ meta }) => meta.put(META.format, 'unfinished', 1));
      expect((await refusalOf(open(folder()))).message).to.include(`${folder()} is not complete`);
    });
  }

  for (const name of ['worker', 'snapshot']) {
    it(`is refused if there is none yet: ${name}`, async () => {
      await withTables(folder(), async () => undefined);
      const refusal = await refusalOf(openers[name]?.(folder()) ?? Promise.resolve());
      expect(refusal.message).to.equal(`The embedded store in ${folder()} is empty.`);
    });
  }

  it('of format 1 can be read, and loses its index rows and counts when a server opens it', async () => {
    await withStore(folder(), async () => undefined);
    await withTables(folder(), async ({ meta, root }) => {
      await meta.put(META.format, 1, 1);
      for (const name of ['rows', 'index', 'counts'])
        await root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' }).put(Buffer.from('a'), Buffer.from('b'));
    });
    await (await openLmdbSnapshot(folder())).close();
    await withStore(folder(), async (backend) => expect(await backend.end()).to.equal(0));
    await withTables(folder(), async ({ meta, root }) => {
      expect([meta.get(META.format), meta.get(META.stored)]).to.deep.equal([3, 0]);
      expect([...root.getKeys()].map(String)).to.not.include.members(['rows', 'index', 'counts']);
    });
  });

  it('is filled with a new store by a server, and by a receiver', async () => {
    await withTables(folder(), async () => undefined);
    await withStore(folder(), async (backend) => expect(await backend.end()).to.equal(0));
    await (await openLmdbReceiver(folder(), { domain: DOMAIN, origin: 'one', replaces: false })).close();
  });

  it('is refused if it cannot be made, with the cause', async () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    const refusal = await refusalOf(openLmdb({ path: folder(), domain: cyclic as never }));
    expect(refusal.message).to.include(`The embedded store in ${folder()} cannot be opened: `);
    expect(refusal.message).to.include(messageOf(refusal.cause)).and.include('circular');
    await withTables(folder(), async ({ meta }) => expect(meta.get(META.end)).to.equal(undefined));
  });

  it('is refused if it cannot be read at all, with the cause', async () => {
    await mkdir(join(folder(), 'data.mdb'));
    const opening = [openLmdbSnapshot(folder()), openers['worker']?.(folder()) ?? Promise.resolve()];
    for (const refusal of await Promise.all(opening.map(refusalOf))) {
      expect(refusal.message).to.match(/^The embedded store in .* cannot be read: .*data\.mdb is not a file$/);
      expect(String(refusal.cause)).to.include('data.mdb is not a file');
    }
  });

  it('is refused if its file is too short, or is that of another program', async () => {
    for (const content of [Buffer.alloc(8192), Buffer.alloc(8192, 'x'), Buffer.alloc(27), Buffer.alloc(4096, 0xde)]) {
      await rm(join(folder(), 'data.mdb'), { force: true });
      await writeFile(join(folder(), 'data.mdb'), content);
      expect((await refusalOf(openLmdbSnapshot(folder()))).message).to.include(
        'is not a data file of the embedded store',
      );
    }
  });
});

import { closeSync, openSync } from 'node:fs';
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { StorageError } from '../errors.js';
import { checkFolder, isInUse, openExclusively } from './lock.js';
import { openLmdbSnapshot } from './snapshot.js';
import { eachFolder, withStore } from './testing/folder.js';

function failureOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}

describe('lmdb: the lock on a folder', () => {
  const folder = eachFolder();

  it('is told from other reasons why a store cannot be opened', async () => {
    const { release } = openExclusively(folder());
    const taken = failureOf(() => openExclusively(folder()));
    expect([isInUse(taken), taken.message.includes(folder())]).to.deep.equal([true, true]);
    await release();
    await openExclusively(folder()).release();
    expect(isInUse(new StorageError('refused', 'It has another format.'))).to.equal(false);
    expect(isInUse(new Error(taken.message))).to.equal(false);
    expect(isInUse(undefined)).to.equal(false);
  });

  // Promise: security tools
  it('is free again when the folder could not be opened, with the cause in the error', async () => {
    await mkdir(join(folder(), 'data.mdb'));
    for (let i = 0; i < 2; i++) {
      const failure = failureOf(() => openExclusively(folder()));
      expect(failure).to.include({ code: 'refused' });
      expect(failure.message).to.match(/^The embedded store in .* cannot be opened: .*data\.mdb is not a file$/);
      expect(String(failure.cause)).to.include('data.mdb is not a file');
    }
    await rm(join(folder(), 'data.mdb'), { recursive: true });
    await openExclusively(folder()).release();
  });

  it('leaves the file mode of the process and its descriptors as they were', async () => {
    const file = join(folder(), 'other');
    await writeFile(file, '');
    const nextDescriptor = (): number => {
      const descriptor = openSync(file, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const mode = process.umask(0o022);
    await withStore(folder(), async () => undefined);
    expect(process.umask(mode)).to.equal(0o022);
    const descriptor = nextDescriptor();
    checkFolder(folder());
    expect(nextDescriptor()).to.equal(descriptor);
  });
});

describe('lmdb: a store that root opens', () => {
  const folder = eachFolder();
  const SERVER = 1000;
  const store = (): string => join(folder(), 'store');
  const ownersOf = (...names: readonly string[]): Promise<readonly number[]> =>
    Promise.all(names.map(async (name) => (await stat(join(store(), name))).uid));

  before(function () {
    if (process.geteuid?.() !== 0) this.skip();
  });

  it('belongs to the owner of the data folder if it is new, so that the server is not locked out', async () => {
    await chown(folder(), SERVER, SERVER);
    await withStore(store(), async () => undefined);
    expect(await ownersOf('.', 'data.mdb', 'lock.mdb')).to.deep.equal([SERVER, SERVER, SERVER]);
  });

  it('keeps its owner, whom a new lock file gets, too, also if it is only read', async () => {
    await withStore(store(), async () => undefined);
    await chown(join(store(), 'data.mdb'), SERVER, SERVER);
    await rm(join(store(), 'lock.mdb'));
    await (await openLmdbSnapshot(store())).close();
    expect(await ownersOf('.', 'data.mdb', 'lock.mdb')).to.deep.equal([0, SERVER, SERVER]);
  });
});

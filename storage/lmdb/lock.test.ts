import { closeSync, openSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { StorageError } from '../errors.js';
import { checkFolder, isInUse, openExclusively } from './lock.js';
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

import { chmod, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { StorageError } from '../errors.js';
import { key, write } from '../testing/backend/fixture.js';
import { hasDataFile } from './data-file.js';
import { checkFolder } from './lock.js';
import { openToRead } from './snapshot.js';
import { eachFolder, withStore, withTables } from './testing/folder.js';

const PAGE = 4096;
const NOBODY = 65534;
const LARGE = Buffer.alloc(300 * PAGE);
const NAMES = Array.from({ length: 200 }, (_, i) => `object-${i}`);

const fill = async (backend: Backend): Promise<void> => {
  await write(
    backend,
    NAMES.map((name) => ({ key: key(name), value: name.repeat(50) })),
  );
};

// The tests only check files that are cut. To open one would end the process.
describe('lmdb: the check of a data file', () => {
  const folder = eachFolder();
  const file = (): string => join(folder(), 'data.mdb');
  const sizeOf = async (): Promise<number> => (await stat(file())).size;
  const refusal = (): string => {
    try {
      checkFolder(folder());
    } catch (error) {
      return String(error);
    }
    return 'none';
  };

  it('refuses a file that is cut, at any size, and says that a backup is needed', async () => {
    await withStore(folder(), fill);
    expect(refusal()).to.equal('none');
    const size = await sizeOf();
    expect(size).to.be.greaterThan(20 * PAGE);
    for (const cut of [size - PAGE, size - PAGE - 1, size / 2, 3 * PAGE, 2 * PAGE]) {
      await truncate(file(), Math.floor(cut));
      expect(refusal(), `${cut} bytes`)
        .to.include(`${file()} is incomplete: it has ${Math.floor(cut)} of ${size} bytes.`)
        .and.include(`Move ${folder()} away and restore a backup.`);
    }
    for (const cut of [2 * PAGE - 1, PAGE, 28, 27, 1]) {
      await truncate(file(), cut);
      expect(refusal(), `${cut} bytes`).to.include('is not a data file of the embedded store, or is incomplete');
    }
  });

  it('refuses an empty file, because a new store in it would hide that the data is lost', async () => {
    await withStore(folder(), fill);
    await truncate(file(), 0);
    expect(refusal()).to.include(`${file()} is empty. Move ${folder()} away and restore a backup.`);
  });

  it('refuses a file of something else', async () => {
    await writeFile(file(), 'x'.repeat(100_000));
    expect(refusal()).to.include('is not a data file of the embedded store');
  });

  it('accepts a folder without a data file, which is new', () => {
    expect(refusal()).to.equal('none');
  });

  it('accepts a file that lacks only free pages at its end, because LMDB does not write all of them', async () => {
    await withStore(folder(), fill);
    await withTables(folder(), async ({ log }) => {
      await log.put(Buffer.from('large'), LARGE);
      await log.remove(Buffer.from('large'));
      for (let i = 0; i < 10; i++) await log.put(Buffer.from('small'), Buffer.from(String(i)));
      // It is no part of a commit, and a store that is opened reads what has not followed.
      await log.remove(Buffer.from('small'));
    });
    const whole = await readFile(file());
    let least = whole.length;
    while (refusal() === 'none') {
      least = await sizeOf();
      await truncate(file(), least - PAGE);
    }
    expect(whole.length - least).to.be.greaterThan(100 * PAGE);
    await writeFile(file(), whole.subarray(0, least));
    await withStore(folder(), async (backend) => {
      expect((await backend.get(NAMES.map((name) => key(name)))).size).to.equal(NAMES.length);
    });
  });
});

describe('lmdb: the look for a data file', () => {
  const folder = eachFolder();
  const store = (): string => join(folder(), 'store');

  /** Works as a user who may do little. Root may read everything. */
  function asNobody<Result>(work: () => Result): Result {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      return work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  it('tells whether there is one', async () => {
    expect(hasDataFile(store())).to.equal(false);
    await withStore(store(), fill);
    expect(hasDataFile(store())).to.equal(true);
  });

  it('does not say that there is none if the user may not look, but says which user may', async () => {
    await withStore(store(), fill);
    const { uid } = await stat(folder());
    await chmod(folder(), 0);
    try {
      for (const look of [hasDataFile, openToRead]) {
        expect(() => asNobody(() => look(store())))
          .to.throw(StorageError, `The folder ${store()} cannot be read: EACCES`)
          .with.property('message')
          .that.includes(`The folder ${folder()} belongs to user ${uid}. Run this as that user or as root.`);
      }
    } finally {
      await chmod(folder(), 0o700);
    }
  });
});

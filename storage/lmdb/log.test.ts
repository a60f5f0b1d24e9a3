import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isStorageError } from '../errors.js';
import { key, write } from '../testing/backend/fixture.js';
import { openExclusively } from './lock.js';
import { logKey, readCommits } from './log.js';
import { openLmdb } from './open.js';

describe('lmdb: log', () => {
  it('is refused as damaged, and names the change, if a record in it is missing', async () => {
    const path = await mkdtemp(join(tmpdir(), 'lmdb-log.'));
    const backend = await openLmdb({ path, domain: 'svc.app' });
    for (const name of ['a', 'b', 'c']) await write(backend, [{ key: key(name), value: name }]);
    await backend.close();
    const { tables, release } = openExclusively(path);
    await tables.log.remove(logKey(2, 0));
    expect(readCommits(tables, 0, 3).map(({ end }) => end)).to.deep.equal([1]);
    let failure: unknown;
    try {
      readCommits(tables, 1, 3);
    } catch (error) {
      failure = error;
    }
    expect(isStorageError(failure, 'unavailable'), String(failure)).to.equal(true);
    expect(String(failure)).to.include('change 2 is missing');
    await release();
    await rm(path, { recursive: true });
  });
});

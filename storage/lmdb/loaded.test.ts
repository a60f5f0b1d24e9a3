import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { key, loadAll, write } from '../testing/backend/fixture.js';
import { openLmdb } from './open.js';

describe('lmdb: load', () => {
  it('gives values as texts if they are small and ASCII, and the bytes of all', async () => {
    const path = await mkdtemp(join(tmpdir(), 'lmdb-loaded.'));
    const backend = await openLmdb({ path, domain: 'svc.app' });
    const [longest, longer] = ['a'.repeat(16 * 1024), 'a'.repeat(16 * 1024 + 1)];
    const values = ['{"title":"Team\u007f"}', 'Grüße', longest, longer, 'ü'.repeat(100_000)];
    for (const [i, value] of values.entries()) await write(backend, [{ key: key(`ü${i}`), value: Buffer.from(value) }]);
    await backend.materialize?.();
    const loaded = await loadAll(backend);
    expect(loaded.map((stored) => stored.key)).to.deep.equal(values.map((_, i) => key(`ü${i}`)));
    expect(loaded.map(({ value }) => Buffer.from(value).toString())).to.deep.equal(values);
    expect(loaded.map(({ text }) => text)).to.deep.equal([values[0], undefined, longest, undefined, undefined]);
    await backend.close();
    await rm(path, { recursive: true });
  });
});

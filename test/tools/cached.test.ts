import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { cached, digestOf } from '../../hack/cached.js';
import { failureOf } from './fixture.js';

describe('what a run of the tests builds', () => {
  const { XDG_CACHE_HOME: former } = process.env;
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kept-'));
    process.env['XDG_CACHE_HOME'] = folder;
  });
  afterEach(async () => {
    if (former === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = former;
    await rm(folder, { recursive: true });
  });

  let made = 0;
  const program = (inputs: unknown): Promise<string> =>
    cached('programs', inputs, (path) => writeFile(path, `program ${++made}`));

  it('is made once for the same sources, and again for others', async () => {
    const [first, other, again] = [await program(['a', 1]), await program(['a', 2]), await program(['a', 1])];
    expect(again).to.equal(first).and.not.equal(other);
    expect(await readFile(again, 'utf8')).to.equal('program 1');
    const [left, right] = await Promise.all([program('both'), program('both')]);
    expect(left).to.equal(right);
    expect(await readdir(dirname(first))).to.have.length(3);
  });

  it('leaves nothing if it fails', async () => {
    const failing = cached('programs', 'x', async (path) => {
      await writeFile(path, 'half of it');
      throw new Error('no compiler');
    });
    expect(await failureOf(failing)).to.include('no compiler');
    expect(await readdir(join(folder, 'dashboard-apiserver', 'programs'))).to.deep.equal([]);
  });

  it('is removed after a week in which no run has used it', async () => {
    const [old, used] = [await program('old'), await program('used')];
    const before = new Date(Date.now() - 8 * 24 * 3_600_000);
    for (const path of [old, used]) await utimes(path, before, before);
    await program('used');
    expect(await readdir(dirname(old))).to.deep.equal([used.slice(dirname(used).length + 1)]);
  });

  it('is another one for other names or contents of its sources', async () => {
    const files = async (contents: Readonly<Record<string, string>>): Promise<string> => {
      for (const [name, text] of Object.entries(contents)) await writeFile(join(folder, name), text);
      return digestOf(folder, Object.keys(contents));
    };
    const digests = [await files({ a: 'x', b: 'y' }), await files({ b: 'y', a: 'x' }), await files({ a: 'x', b: 'z' })];
    expect(digests[1]).to.equal(digests[0]);
    expect(digests[2]).not.to.equal(digests[0]);
    expect(await files({ a: 'xb' })).not.to.equal(await files({ ab: 'x' }));
  });
});

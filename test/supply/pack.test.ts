import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../e2e/process.js';

const run = promisify(execFile);

describe('npm run pack', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pack-'));
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const manifest = { name: 'packed', version: '1.0.0', scripts: { ...scripts, pack: 'echo the archive is made' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  // npm runs `prepack` before `pack`, too, unless its settings leave out such scripts.
  const npm = (...args: readonly string[]) =>
    run('npm', args, { cwd: folder, env: { ...process.env, npm_config_ignore_scripts: 'false' } });

  it('makes the archive by its own script, and npm pack says so', async () => {
    expect((await npm('run', 'pack')).stdout).to.contain('the archive is made\n');
    const refused = await npm('pack').catch((error: { readonly stderr: string }) => error.stderr);
    expect(refused).to.contain('Use npm run pack: ');
  });
});

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const biome = resolve('node_modules/.bin/biome');

/** What each layer must not import: the check is only worth something if it fails on these. */
const VIOLATIONS: readonly (readonly [from: string, to: string])[] = [
  ['pkg', 'storage'],
  ['pkg', 'registry'],
  ['storage', 'registry'],
  ['storage', 'apis'],
  ['registry', 'apis'],
  ['registry', 'cmd'],
  ['apis', 'storage'],
  ['apis', 'cmd'],
  ['cmd', 'hack'],
  ['cmd', 'test'],
];

describe('layers', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'layers-'));
    await cp('biome.json', join(folder, 'biome.json'));
    await run('git', ['init', '-q'], { cwd: folder });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const lint = async (layer: string, source: string): Promise<string> => {
    await mkdir(join(folder, layer, 'a'), { recursive: true });
    await writeFile(join(folder, layer, 'a', 'planted.ts'), source);
    const args = ['lint', '--only=style/noRestrictedImports', join(layer, 'a', 'planted.ts')];
    const result = await run(biome, args, { cwd: folder }).catch((error: { stdout: string; stderr: string }) => error);
    return result.stdout + result.stderr;
  };

  for (const [from, to] of VIOLATIONS) {
    it(`a planted import of ${to} in ${from} is refused, a type import too`, async () => {
      expect(await lint(from, `import { x } from '../../${to}/x.js';\nexport const y = x;\n`)).to.include(
        'noRestrictedImports',
      );
      expect(await lint(from, `import type { X } from '../../${to}/x.js';\nexport type Y = X;\n`)).to.include(
        'noRestrictedImports',
      );
    });
  }

  it('an import in the allowed direction passes', async () => {
    const report = await lint('registry', "import { x } from '../../storage/x.js';\nexport const y = x;\n");
    expect(report).not.to.include('noRestrictedImports');
  });
});

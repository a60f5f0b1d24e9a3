/**
 * Makes the archive that is installed: npx tsx hack/supply/pack.ts [DESTINATION]. The build must have run, and
 * hack/supply/sbom.ts. The manifest in the archive names no `dependencies`, because `dist` has those libraries already
 * (docs/adr/0041). So npm installs only native parts.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const Manifest = z.looseObject({ files: z.array(z.string()) });
/** npm packs these, although `files` does not name them. */
const ALWAYS = ['LICENSE', 'README.md'];

const destination = resolve(process.argv[2] ?? '.');
const manifest = Manifest.parse(JSON.parse(await readFile('package.json', 'utf8')));
const folder = await mkdtemp(join(tmpdir(), 'archive-'));
try {
  const names = [...manifest.files.filter((name) => !name.startsWith('!')), ...ALWAYS];
  await Promise.all(names.map((name) => cp(name, join(folder, name), { recursive: true, preserveTimestamps: true })));
  const { dependencies: _, devDependencies: __, scripts: ___, allowScripts: ____, ...shipped } = manifest;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(shipped, undefined, 2)}\n`);
  const args = ['pack', '--silent', '--ignore-scripts', `--pack-destination=${destination}`, folder];
  const { stdout } = await promisify(execFile)('npm', args);
  process.stdout.write(stdout);
} finally {
  await rm(folder, { recursive: true, force: true });
}

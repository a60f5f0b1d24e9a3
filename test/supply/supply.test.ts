import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { noticeText } from '../../hack/supply/notices.js';
import {
  bundledFiles,
  bundledPackages,
  installedPackages,
  packageFolder,
  type Shipped,
} from '../../hack/supply/shipped.js';
import { ROOT } from '../e2e/process.js';
import { DYNAMIC, DYNAMIC_CODE } from './dynamic-code.js';

/** Licences that only require their text and the names of the authors, which NOTICE has. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
];
/** MPL-2.0 requires the source of its own files only. They are unchanged, and NOTICE says where their source is. */
const UNCHANGED: Readonly<Record<string, string>> = { '@jmespath-community/jmespath': 'MPL-2.0' };

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Manifest extends Locked {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const json = async <T>(...path: readonly string[]): Promise<T> =>
  JSON.parse(await readFile(join(ROOT, ...path), 'utf8')) as T;
const lock = async () => (await json<{ packages: Readonly<Record<string, Locked>> }>('package-lock.json')).packages;
const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('what the archive is made of', () => {
  let shipped: readonly Shipped[] = [];
  let bundled: readonly string[] = [];

  before(async function built() {
    // Only the build knows what is in the archive.
    if (!existsSync(join(ROOT, 'dist', '.bundle.json'))) this.skip();
    bundled = await bundledFiles();
    shipped = [...(await bundledPackages()), ...(await installedPackages())];
  });

  // Promise: security tools
  it('has permissive licences', () => {
    expect(shipped.length).to.be.greaterThan(100);
    const others = shipped.filter(({ name, license }) => !PERMISSIVE.includes(license) && UNCHANGED[name] !== license);
    expect(others.map(({ name, license }) => `${name}: ${license}`)).to.deep.equal([]);
  });

  it('is named in NOTICE, which npx tsx hack/supply/notice.ts writes', async () => {
    expect(await readFile(join(ROOT, 'NOTICE'), 'utf8')).to.equal(await noticeText());
  });

  it('has the libraries that package.json calls dependencies, and none of the devDependencies', async () => {
    const { dependencies = {}, devDependencies = {} } = await json<Manifest>('package.json');
    const names = shipped.map(({ name }) => name);
    expect(Object.keys(dependencies).filter((name) => !names.includes(name))).to.deep.equal([]);
    expect(Object.keys(devDependencies).filter((name) => names.includes(name))).to.deep.equal([]);
  });

  // Promise: security tools
  it('makes code from text only where a reason says why it is harmless', async () => {
    for (const text of ["eval('x')", 'new Function(text)', "import { Script } from 'node:vm';"])
      expect(text).to.match(DYNAMIC);
    const found = new Set<string>();
    for (const path of bundled) {
      const text = existsSync(join(ROOT, path)) ? await readFile(join(ROOT, path), 'utf8') : '';
      const lines = text.split('\n').filter((line) => !/^\s*(?:\*|\/\/)/.test(line));
      if (lines.some((line) => DYNAMIC.test(line))) found.add(packageFolder(path) ?? path);
    }
    expect([...found].toSorted()).to.deep.equal(Object.keys(DYNAMIC_CODE).toSorted());
  });
});

describe('what npm installs', () => {
  it('includes, beside the package, only native parts without scripts, of the versions that lmdb and koffi expect', async () => {
    const { optionalDependencies = {} } = await json<Manifest>('package.json');
    const expected = await Promise.all(
      ['lmdb', 'koffi'].map(
        async (name) => (await json<Manifest>('node_modules', name, 'package.json')).optionalDependencies,
      ),
    );
    for (const [name, version] of Object.entries(optionalDependencies))
      expect({ ...expected[0], ...expected[1] }, name).to.have.property(name, version);
    for (const { folder } of await installedPackages())
      expect((await json<Manifest>(folder, 'package.json')).scripts ?? {}, folder).to.deep.equal({});
  });

  // Promise: security tools
  it('runs no scripts of packages, also in a clone', async () => {
    const { allowScripts } = await json<Manifest>('package.json');
    const scripted = Object.entries(await lock()).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const platforms = scripted.map(([folder]) => nameOf(folder)).filter((name) => name !== 'fsevents');
    expect(Object.keys(allowScripts)).to.include.members(platforms);
    expect(Object.values(allowScripts)).not.to.include(true);
  });

  // Promise: security tools
  it('is in the lock, as npm ci wants it, and the lock names no registry', async () => {
    const packages = await lock();
    const { dependencies, devDependencies, optionalDependencies } = await json<Manifest>('package.json');
    expect(packages['']).to.deep.include({ dependencies, devDependencies, optionalDependencies });
    const missing = Object.entries(packages).flatMap(
      ([folder, { dependencies, devDependencies: dev, optionalDependencies: optional }]) =>
        Object.keys({ ...dependencies, ...dev, ...optional })
          .filter((name) => !isFound(packages, folder, name))
          .map((name) => `${folder} needs ${name}`),
    );
    expect(missing).to.deep.equal([]);
    expect(Object.values(packages).flatMap(({ resolved }) => resolved ?? [])).to.deep.equal([]);
  });
});

/** Whether Node would find a package that another one needs, in its folder or in one above. */
function isFound(packages: Readonly<Record<string, Locked>>, folder: string, name: string): boolean {
  if (packages[join(folder, 'node_modules', name)] !== undefined) return true;
  if (folder === '') return false;
  const above = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1));
  return isFound(packages, above, name);
}

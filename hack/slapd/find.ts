import { execFile } from 'node:child_process';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cached } from '../cached.js';

const run = promisify(execFile);
const PATIENCE = 300_000;

/** An OpenLDAP server, which is a program of Debian. */
export interface Slapd {
  readonly binary: string;
  /** Folders of the modules and schemas. */
  readonly modules: string;
  readonly schemas: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class SlapdMissing extends Error {}

let found: Promise<Slapd> | undefined;

/**
 * Finds a slapd: the one of the machine, or that of Debian's packages, which are unpacked into the cache folder and not
 * installed, so that no service starts.
 */
export function findSlapd(): Promise<Slapd> {
  found ??= look();
  return found;
}

async function look(): Promise<Slapd> {
  if (await isExecutable('/usr/sbin/slapd')) return slapdIn('');
  try {
    const packages = await missingPackages();
    return await slapdIn(await cached('slapd', packages, (folder) => unpackInto(folder, packages)));
  } catch (cause) {
    throw new SlapdMissing(
      'No slapd was found. There is none in /usr/sbin, and the packages of Debian could not be fetched with apt-get.',
      { cause },
    );
  }
}

/** `slapd=2.5.13…`, and what it needs and this machine does not have. */
async function missingPackages(): Promise<readonly string[]> {
  const list = async () => {
    const options = ['install', '--print-uris', '-y', '-qq', '--no-install-recommends', 'slapd'];
    const { stdout } = await run('apt-get', options, { timeout: PATIENCE });
    return [...stdout.matchAll(/' (\S+?)_(\S+?)_\w+\.deb /g)].map(
      ([, name, version = '']) => `${name}=${decodeURIComponent(version)}`,
    );
  };
  const packages = await list().catch(() => []);
  if (packages.length > 0) return packages;
  // The machine has no lists of packages yet.
  await run('apt-get', ['update', '-qq'], { timeout: PATIENCE });
  return list();
}

async function unpackInto(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  process.stderr.write(`Fetching an OpenLDAP server for the tests from Debian (${packages.length} packages).\n`);
  await run('apt-get', ['download', '-qq', ...packages], { cwd: folder, timeout: PATIENCE });
  for (const name of await readdir(folder))
    if (name.endsWith('.deb')) await run('dpkg', ['-x', join(folder, name), folder]);
}

async function slapdIn(root: string): Promise<Slapd> {
  const machine = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  // Libraries of the machine come first, because they fit each other.
  const libraries = ['/usr/lib', '/lib', `${root}/usr/lib`, `${root}/lib`].map((folder) => join(folder, machine));
  const env = { ...process.env, ...(root !== '' && { LD_LIBRARY_PATH: libraries.join(delimiter) }) };
  const binary = join(root, '/usr/sbin/slapd');
  await run(binary, ['-VV'], { env });
  return { binary, modules: join(root, '/usr/lib/ldap'), schemas: join(root, '/etc/ldap/schema'), env };
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

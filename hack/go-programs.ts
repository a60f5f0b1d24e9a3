import { execFile } from 'node:child_process';
import { access, copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cached, digestOf } from './cached.js';
import { versionFlags } from './kubectl.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILD_TIMEOUT_MS = 30 * 60_000;
const POLL_MS = 200;

/**
 * The module of all Go programs of the tests. So they share what is compiled, and each takes less time than the first.
 */
const MODULE = join(ROOT, 'test');
/**
 * Compiling takes most of the time, and these programs run for seconds: so no optimization, and nothing for debuggers.
 */
const FLAGS = ['-buildvcs=false', '-trimpath', '-gcflags=all=-N -l'];

interface Source {
  readonly package: string;
  readonly command: readonly string[];
  /** The module whose version the program is told. */
  readonly versionOf?: string;
  /** The module of the package, if it is not that of the tests, and the files of it that ours replace. */
  readonly of?: { readonly module: string; readonly files: Readonly<Record<string, string>> };
}

/**
 * Kubernetes' suite for custom resources. The files that connect it to a server and to its store are replaced when it
 * is built.
 */
export const SUITE = {
  module: 'k8s.io/apiextensions-apiserver@v0.36.6',
  files: {
    'test/integration/fixtures/server.go': 'custom/testdata/server.go',
    'test/integration/storage/objectreader.go': 'custom/testdata/objectreader.go',
  },
} as const;

const PROGRAMS = {
  fieldmanager: { package: './fieldmanager/go', command: ['build'] },
  structural: { package: './structural/go', command: ['build'] },
  strategicpatch: { package: './strategicpatch/go', command: ['build'] },
  cel: { package: './cel/go', command: ['build'] },
  protobuf: { package: './protobuf/go', command: ['build'] },
  clients: { package: './e2e/go', command: ['test', '-c', '-vet=off'] },
  suite: { package: './test/integration', command: ['test', '-c', '-vet=off'], of: SUITE },
  'suite-conversion': { package: './test/integration/conversion', command: ['test', '-c', '-vet=off'], of: SUITE },
  kubectl: { package: './e2e/kubectl-newest', command: ['build'], versionOf: 'k8s.io/kubectl' },
  helm: { package: 'helm.sh/helm/v3/cmd/helm', command: ['build'] },
  // Terraform finds its providers by these names.
  'terraform-provider-kubectl': { package: 'github.com/gavinbunney/terraform-provider-kubectl', command: ['build'] },
} as const satisfies Readonly<Record<string, Source>>;

export type GoProgram = keyof typeof PROGRAMS;

/** Go is not on PATH, or the modules cannot be fetched. */
export class GoMissing extends Error {}

/** Builds one program after another, for tests in other processes that find `folder` in `GO_PROGRAMS`. */
export async function buildGoPrograms(folder: string): Promise<void> {
  for (const name of Object.keys(PROGRAMS) as GoProgram[]) {
    await build(name, folder).catch((error: Error) => writeFile(join(folder, `${name}.failed`), error.message));
  }
}

/** The path of a program. Waits until `npm test` has built it, or builds it. Throws GoMissing. */
export async function goProgram(name: GoProgram): Promise<string> {
  const folder = process.env['GO_PROGRAMS'];
  if (folder === undefined) return build(name, await mkdtemp(join(tmpdir(), 'go-programs-')));
  const path = join(folder, name);
  while (!(await exists(path))) {
    const failure = await readFile(`${path}.failed`, 'utf8').catch(() => undefined);
    if (failure !== undefined) throw new GoMissing(failure);
    await sleep(POLL_MS);
  }
  return path;
}

/** The same for tests, which are skipped if it is missing. CI has it. */
export async function goProgramOrSkip(test: Mocha.Context, name: GoProgram): Promise<string> {
  try {
    return await goProgram(name);
  } catch (error) {
    if (!(error instanceof GoMissing) || process.env['CI'] === 'true') throw error;
    return test.skip();
  }
}

/** A link to the program that this run or an earlier one has built of the same sources. Throws GoMissing. */
async function build(name: GoProgram, folder: string): Promise<string> {
  const path = join(folder, name);
  try {
    await symlink(await cached('go', await inputsOf(name), (made) => compile(name, made)), path);
  } catch (cause) {
    throw new GoMissing(
      `The Go program ${name} could not be built with go: ${cause instanceof Error ? cause.message : ''}`,
      {
        cause,
      },
    );
  }
  return path;
}

/** What decides about a program. All programs of the module may import its other packages. */
async function inputsOf(name: GoProgram): Promise<readonly unknown[]> {
  const { stdout: version } = await run('go', ['version']);
  const files = await readdir(MODULE, { recursive: true });
  const sources = files.filter((path) => /(?:\.go|^go\.(?:mod|sum))$/.test(path));
  return [name, PROGRAMS[name], FLAGS, version, await digestOf(MODULE, sources)];
}

async function compile(name: GoProgram, path: string): Promise<void> {
  const { package: source, command, versionOf, of }: Source = PROGRAMS[name];
  const versions = versionOf === undefined ? [] : versionFlags(await versionIn(MODULE, versionOf));
  const link = ['-s', '-w', ...versions].join(' ');
  // The compiler runs for seconds, too: collecting its garbage less often saves a fifth of its time.
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOGC: '400' };
  const cwd = of === undefined ? MODULE : await replaced(of, path);
  try {
    const options = { cwd, env, timeout: BUILD_TIMEOUT_MS, maxBuffer: 2 ** 24 };
    await run('go', [...command, ...FLAGS, `-ldflags=${link}`, '-o', path, source], options);
  } finally {
    if (of !== undefined) await rm(cwd, { recursive: true, force: true });
  }
}

/** The folder of a module in Go's cache. It is fetched if it is not there. */
export async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', module], {
    cwd: tmpdir(),
    timeout: BUILD_TIMEOUT_MS,
  });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

/** A copy of a module in which files are replaced. Go refuses to build the module in its cache with others. */
async function replaced({ module, files }: NonNullable<Source['of']>, path: string): Promise<string> {
  const folder = `${path}.module`;
  await run('cp', ['-R', await moduleFolder(module), folder]);
  await run('chmod', ['-R', 'u+w', folder]);
  for (const [file, by] of Object.entries(files)) await copyFile(join(MODULE, by), join(folder, file));
  return folder;
}

async function versionIn(module: string, required: string): Promise<string> {
  const text = await readFile(join(module, 'go.mod'), 'utf8');
  const version = text.split('\n').find((line) => line.startsWith(`\t${required} `));
  if (version === undefined) throw new Error(`${module}/go.mod does not require ${required}`);
  return version.split(' ')[1] ?? '';
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Removes a program that `goProgram` built for one test only. */
export async function removeGoProgram(path: string): Promise<void> {
  if (process.env['GO_PROGRAMS'] === undefined) await rm(join(path, '..'), { recursive: true, force: true });
}

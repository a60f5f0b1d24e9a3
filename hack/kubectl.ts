import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The release that is built if there is no kubectl. */
const MODULE_VERSION = 'v0.34.2';
/** What kubectl says about itself, and what it says in its User-Agent. */
const VERSIONS = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
const BUILD_TIMEOUT_MS = 30 * 60_000;

/** A main for kubectl's library, because the module with kubectl's own main cannot be fetched by itself. */
const MAIN = `package main

import (
	"os"

	"k8s.io/kubectl/pkg/cmd"
)

func main() {
	if err := cmd.NewDefaultKubectlCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
`;

export class KubectlMissing extends Error {}

/**
 * Finds a kubectl: `$KUBECTL`, the one on PATH, or one that is built from its Go module and kept in the cache folder.
 */
export async function findKubectl(): Promise<string> {
  const given = process.env['KUBECTL'];
  if (given) return given;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, 'kubectl')))) return join(folder, 'kubectl');
  }
  return builtKubectl();
}

/** Ignores the kubectl on PATH. `module` is a version of k8s.io/kubectl: v0.34.2 is kubectl 1.34.2. */
export async function builtKubectl(module = MODULE_VERSION): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dashboard-apiserver', 'kubectl');
  // The name of the program is in its User-Agent, so it must be kubectl.
  const binary = join(cache, module.replace(/^v0/, 'v1'), 'kubectl');
  if (!(await isExecutable(binary))) await buildInto(cache, binary, module);
  return binary;
}

/** Builds in a temporary folder and then renames, so that other processes never see an incomplete file. */
async function buildInto(cache: string, binary: string, module: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'building-'));
  const go = (...args: string[]): Promise<unknown> =>
    run('go', args, { cwd: work, timeout: BUILD_TIMEOUT_MS, env: { ...process.env, GOFLAGS: '-mod=mod' } });
  try {
    await writeFile(join(work, 'main.go'), MAIN);
    await go('mod', 'init', 'kubectl');
    await go('get', `k8s.io/kubectl@${module}`);
    await go('mod', 'tidy');
    await go('build', '-trimpath', '-ldflags', ['-s', '-w', ...versionFlags(module)].join(' '), '-o', 'kubectl', '.');
    await mkdir(dirname(binary), { recursive: true });
    await rename(join(work, 'kubectl'), binary);
  } catch (cause) {
    throw new KubectlMissing(
      `No kubectl was found. There is none on PATH, and k8s.io/kubectl@${module} could not be built with go. Install kubectl or Go, or set KUBECTL.`,
      { cause },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** What tells the linker the version of kubectl, by the version of its module. */
export function versionFlags(module: string): readonly string[] {
  const gitVersion = module.replace(/^v0/, 'v1');
  const [gitMajor, gitMinor] = gitVersion.slice(1).split('.');
  const facts = Object.entries({ gitVersion, gitMajor, gitMinor });
  return facts.flatMap(([name, value]) => VERSIONS.map((variables) => `-X ${variables}.${name}=${value}`));
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * `npx tsx hack/kubectl.ts [--built [v0.37.2]]`: prints the path of the kubectl that tests use, or of one that is built
 * from this version.
 */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [option, module] = process.argv.slice(2);
  const path = option === '--built' ? await builtKubectl(module) : await findKubectl();
  process.stdout.write(`${path}\n`);
}

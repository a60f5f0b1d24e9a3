import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The release that is built if there is no kubectl. */
const MODULE_VERSION = 'v0.34.2';
const VERSION = MODULE_VERSION.replace(/^v0/, 'v1');
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

/** Finds a kubectl: `$KUBECTL`, the one on PATH, or one that is built from its Go module and kept in the cache folder. */
export async function findKubectl(): Promise<string> {
  const given = process.env['KUBECTL'];
  if (given) return given;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, 'kubectl')))) return join(folder, 'kubectl');
  }
  return builtKubectl();
}

/** Ignores the kubectl on PATH. */
export async function builtKubectl(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dashboard-apiserver', 'kubectl');
  const binary = join(cache, `kubectl-${VERSION}`);
  if (!(await isExecutable(binary))) await buildInto(cache, binary);
  return binary;
}

/** Builds in a temporary folder and then renames, so that other processes never see an incomplete file. */
async function buildInto(cache: string, binary: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'building-'));
  const go = (...args: string[]): Promise<unknown> =>
    run('go', args, { cwd: work, timeout: BUILD_TIMEOUT_MS, env: { ...process.env, GOFLAGS: '-mod=mod' } });
  try {
    await writeFile(join(work, 'main.go'), MAIN);
    await go('mod', 'init', 'kubectl');
    await go('get', `k8s.io/kubectl@${MODULE_VERSION}`);
    await go('mod', 'tidy');
    const [major, minor] = VERSION.slice(1).split('.');
    const facts = { gitVersion: VERSION, gitMajor: major, gitMinor: minor };
    const flags = Object.entries(facts).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
    await go('build', '-trimpath', '-ldflags', ['-s', '-w', ...flags].join(' '), '-o', 'kubectl', '.');
    await rename(join(work, 'kubectl'), binary);
  } catch (cause) {
    throw new KubectlMissing(
      `No kubectl was found. There is none on PATH, and k8s.io/kubectl@${MODULE_VERSION} could not be built with go. Install kubectl or Go, or set KUBECTL.`,
      { cause },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** `npx tsx hack/kubectl.ts [--built]`: prints the path of the kubectl that tests use. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = process.argv.includes('--built') ? await builtKubectl() : await findKubectl();
  process.stdout.write(`${path}\n`);
}

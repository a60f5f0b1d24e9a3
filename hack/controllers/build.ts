import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MODULE = fileURLToPath(new URL('.', import.meta.url));
const BUILD_TIMEOUT_MS = 60 * 60_000;

export interface Controllers {
  readonly source: string;
  readonly kustomize: string;
  /** Folders with the definitions of their kinds. */
  readonly definitions: readonly string[];
}

/** Builds the controllers of Flux from their Go modules, as they are. The first time takes minutes. */
export async function buildControllers(): Promise<Controllers> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dashboard-apiserver', 'controllers');
  await mkdir(cache, { recursive: true });
  return {
    source: await build(cache, 'source-controller'),
    kustomize: await build(cache, 'kustomize-controller'),
    definitions: [await definitionsOf('source-controller'), await definitionsOf('kustomize-controller')],
  };
}

async function build(cache: string, name: string): Promise<string> {
  const path = join(cache, name);
  // Compiling takes most of the time, and nobody debugs these programs.
  const flags = ['-buildvcs=false', '-trimpath', '-gcflags=all=-N -l', '-ldflags=-s -w'];
  await go(['build', ...flags, '-o', path, `github.com/fluxcd/${name}`]);
  return path;
}

async function definitionsOf(name: string): Promise<string> {
  const folder = await go(['list', '-m', '-f', '{{.Dir}}', `github.com/fluxcd/${name}`]);
  return join(folder.trim(), 'config', 'crd', 'bases');
}

async function go(args: readonly string[]): Promise<string> {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOGC: '400' };
  const { stdout } = await run('go', args, { cwd: MODULE, env, timeout: BUILD_TIMEOUT_MS, maxBuffer: 2 ** 24 });
  return stdout;
}

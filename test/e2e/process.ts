import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The arguments with which Node runs one of our programs. With `BUILT=true` it is the built one, which starts in half
 * the time. Otherwise it runs from its sources, so that one test needs no build. With `root`, it is the build in this
 * folder.
 */
export function programOf(name: 'apiserver' | 'adminctl', root?: string): readonly string[] {
  if (root !== undefined) return [join(root, 'dist', 'cmd', name, 'main.js')];
  if (process.env['BUILT'] === 'true') return [join(ROOT, 'dist', 'cmd', name, 'main.js')];
  return ['--import=tsx/esm', join(ROOT, 'cmd', name, 'main.ts')];
}

/** The number of characters that are kept of the end of each stream. */
const KEPT = 4 * 1024 * 1024;

/** Milliseconds between two checks of a condition without events. */
const POLL_MS = 50;

export interface Program {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** The exit code, or -1 after a signal. `undefined` while the program runs. */
  exitCode(): number | undefined;
  /** Resolves with the exit code when the program has ended or was stopped. */
  readonly ended: Promise<number>;
  /** Stops the program and waits. Sends SIGKILL after `patienceMs`. */
  stop(signal?: NodeJS.Signals, patienceMs?: number): Promise<void>;
}

export interface ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
  /** The user that the program runs as. Only root may name another one. */
  readonly uid?: number | undefined;
}

/** Starts a program as a child process. */
export async function startProgram(path: string, args: readonly string[], options: ProgramOptions): Promise<Program> {
  const { env, cwd, uid } = options;
  const child = spawn(path, args, { env, ...(cwd !== undefined && { cwd }), ...(uid !== undefined && { uid }) });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : -1));
  ended.catch(() => undefined);
  await once(child, 'spawn');
  const exitCode = (): number | undefined => child.exitCode ?? (child.signalCode === null ? undefined : -1);
  return { pid: child.pid ?? -1, stdout, stderr, exitCode, ended, stop: stopping(child, ended) };
}

function stopping(child: ChildProcess, ended: Promise<number>): Program['stop'] {
  return async (signal = 'SIGTERM', patienceMs = 15_000) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended.finally(() => clearTimeout(timer));
  };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT);
  });
  return () => text;
}

/** Calls `ask` until it returns a value. After `patienceMs`, throws with the message of `describe`. */
export async function eventually<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  describe: () => string,
  patienceMs = 60_000,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(describe());
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

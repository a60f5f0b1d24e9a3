import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How much of each stream is kept: the last of it. */
const KEPT = 4 * 1024 * 1024;

/** How often something that has no event of its own is looked at again. */
const POLL_MS = 50;

export interface Program {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** The exit code, or -1 after a signal; `undefined` while it runs. */
  exitCode(): number | undefined;
  /** Resolves with the exit code when it has ended by itself or was stopped. */
  readonly ended: Promise<number>;
  /** Ends it and waits; SIGKILL follows when it takes longer than `patienceMs`. */
  stop(signal?: NodeJS.Signals, patienceMs?: number): Promise<void>;
}

export interface ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
}

/** Starts a program whose end this process waits for. */
export async function startProgram(path: string, args: readonly string[], options: ProgramOptions): Promise<Program> {
  const child = spawn(path, args, { env: options.env, ...(options.cwd === undefined ? {} : { cwd: options.cwd }) });
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

/** Asks again until there is an answer; when it takes too long, fails with what `describe` says. */
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

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A server of a checkout, with its own process and data folder. */
export interface BenchServer {
  readonly child: ChildProcess;
  readonly http: URL;
  readonly https: URL;
  /** The token of the administrator. */
  readonly token: string;
  readonly caFile: string;
  stop(): Promise<void>;
}

export interface BenchOptions {
  /** The checkout. */
  readonly root: string;
  /** Settings, as on the command line. */
  readonly args?: readonly string[];
  /** Arguments of Node, before the program. */
  readonly execArgv?: readonly string[];
  /** The data folder, which stays. By default a new one, which `stop` removes. */
  readonly data?: string;
}

/** Compiles a checkout, as `npm start` does. */
export async function build(root: string): Promise<void> {
  await promisify(execFile)(join(root, 'hack', 'build.sh'));
}

/** Starts the compiled server on free ports and waits until it listens. */
export async function startBuilt(options: BenchOptions): Promise<BenchServer> {
  const { root, args = [], execArgv = [] } = options;
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'apiserver-bench-')));
  const own = ['--server.http_port=0', '--server.https_port=0', `--paths.data=${data}`, '--log.level=warn'];
  const child = spawn(
    process.execPath,
    [...execArgv, join(root, 'dist', 'cmd', 'apiserver', 'main.js'), ...own, ...args],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    if (options.data === undefined) await rm(data, { recursive: true, force: true });
  };
  try {
    const [http, https] = await addresses(child);
    const token = (await readFile(join(data, 'admin.token'), 'utf8')).trim();
    return { child, http, https, token, caFile: join(data, 'pki', 'ca.crt'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Reads the ports from the first line that the server prints. Drops the output after it, so that the server never waits
 * for a reader.
 */
function addresses({ stdout }: ChildProcess): Promise<[http: URL, https: URL]> {
  let text = '';
  return new Promise((resolve, reject) => {
    stdout?.on('end', () => reject(new Error(`the server ended while it started: ${text}`)));
    stdout?.on('data', function read(chunk: Buffer) {
      text += chunk;
      const [, http, https] = /HTTP (http:\S+), HTTPS (https:\S+)\n/.exec(text) ?? [];
      if (http === undefined || https === undefined) return;
      stdout.off('data', read).resume();
      resolve([new URL(http), new URL(https)]);
    });
  });
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, clientOf } from './client.js';
import { type Kubectl, kubectlFor } from './kubectl-client.js';
import { eventually, type Program, programOf, ROOT, startProgram } from './process.js';

/** A server with its own process, ports and data folder. */
export interface TestServer {
  /** The pid and the URLs change with `restart`. */
  readonly pid: number;
  readonly httpUrl: string;
  readonly httpsUrl: string;
  readonly folder: string;
  /** Sends requests as the administrator over HTTPS. */
  readonly client: Client;
  /** The output so far, for messages. */
  output(): string;
  /**
   * kubectl as the administrator, with its own home folder. `program` is the path of kubectl. Throws KubectlMissing if
   * there is none.
   */
  kubectl(program?: string): Promise<Kubectl>;
  /**
   * Starts the server again on the same data, after `kill` or `end`. `root` is a folder with the build of another
   * version.
   */
  restart(root?: string): Promise<void>;
  /** Stops the server as operators do, and keeps its data. */
  end(): Promise<void>;
  /** Resolves with the exit code when the process has ended. */
  ended(): Promise<number>;
  /** Sends SIGKILL, which is like a crash. */
  kill(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings of the command line: `{ 'features.max_folder_depth': '2' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A folder with the build of another version. */
  readonly root?: string;
  /** Where the folder of the server is made. By default, with all temporary ones. */
  readonly place?: string;
}

/** With `WORKERS=2`, all suites run on servers with two workers. */
const COMMON: ServerOptions['settings'] =
  process.env['WORKERS'] === undefined ? {} : { 'server.workers': process.env['WORKERS'] };

/** Starts the server in the same way as users, and waits until it is ready. */
export async function startServer({ settings = {}, root, place = tmpdir() }: ServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(place, 'apiserver-e2e-'));
  const data = join(folder, 'data');
  const all = { 'server.http_port': '0', 'server.https_port': '0', 'paths.data': data, ...COMMON, ...settings };
  const start = (from?: string): Promise<Running> =>
    launch(
      Object.entries(all).map(([key, value]) => `--${key}=${value}`),
      from,
    );
  try {
    let running = await start(root);
    const client = await clientOf(() => running.httpsUrl, data);
    return {
      folder,
      client,
      get httpUrl() {
        return running.httpUrl;
      },
      get httpsUrl() {
        return running.httpsUrl;
      },
      get pid() {
        return running.program.pid;
      },
      output: () => outputOf(running.program),
      kubectl: (program) => kubectlFor(join(data, 'kubeconfig'), folder, program),
      restart: async (from) => {
        running = await start(from);
      },
      end: () => running.program.stop(),
      ended: () => running.program.ended,
      kill: () => running.program.stop('SIGKILL'),
      stop: async () => {
        client.close();
        await running.program.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Running {
  readonly program: Program;
  readonly httpUrl: string;
  readonly httpsUrl: string;
}

/** Starts the program without the settings in the environment of the tests. */
async function launch(args: readonly string[], root?: string): Promise<Running> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('APISERVER_'));
  const options = { cwd: ROOT, env: Object.fromEntries(own) };
  const program = await startProgram(process.execPath, [...programOf('apiserver', root), ...args], options);
  try {
    return await ready(program);
  } catch (error) {
    await program.stop('SIGKILL');
    throw error;
  }
}

const outputOf = (program: Program): string => program.stdout() + program.stderr();

/** Waits for the line that the server prints when it listens, which has the ports. */
async function ready(program: Program): Promise<Running> {
  return eventually(
    async () => {
      if (program.exitCode() !== undefined) {
        await program.ended;
        throw new Error(`The server ended while it started:\n${outputOf(program)}`);
      }
      const [, http, https] = /HTTP http:\/\/127\.0\.0\.1:(\d+), HTTPS \S+:(\d+)\n/.exec(program.stdout()) ?? [];
      if (http === undefined) return undefined;
      const httpUrl = `http://127.0.0.1:${http}`;
      // A server on a full disk is started, too.
      const answer = await fetch(`${httpUrl}/readyz?exclude=disk`).catch(() => undefined);
      return answer?.ok === true ? { program, httpUrl, httpsUrl: `https://localhost:${https}` } : undefined;
    },
    () => `The server was not ready in time:\n${outputOf(program)}`,
  );
}

export function readExample(name: string): Promise<string> {
  return readFile(examplePath(name), 'utf8');
}

export function examplePath(name: string): string {
  return join(ROOT, 'hack', 'examples', name);
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, PortTaken, untilPortIsFree } from '../../hack/free-port.js';
import { type Client, clientOf } from './client.js';
import { type Kubectl, kubectlFor } from './kubectl-client.js';
import { eventually, type Program, programOf, ROOT, startProgram } from './process.js';

/** A server with its own process, free ports and data folder. */
export interface TestServer {
  readonly pid: number;
  readonly httpUrl: string;
  readonly httpsUrl: string;
  readonly folder: string;
  /** Sends requests as the administrator over HTTPS. */
  readonly client: Client;
  /** The output so far, for messages. */
  output(): string;
  /** kubectl as the administrator, with its own home folder. Throws KubectlMissing if there is none. */
  kubectl(): Promise<Kubectl>;
  /** Starts the server again on the same data and ports, after `kill`. */
  restart(): Promise<void>;
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
}

/** Starts the server in the same way as users, and waits until it is ready. */
export function startServer({ settings = {} }: ServerOptions = {}): Promise<TestServer> {
  return untilPortIsFree(() => startOnce(settings));
}

async function startOnce(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'apiserver-e2e-'));
  const [http, https] = [await freePort(), await freePort()];
  const all = {
    'server.http_port': `${http}`,
    'server.https_port': `${https}`,
    'paths.data': join(folder, 'data'),
    ...settings,
  };
  const urls = { httpUrl: `http://127.0.0.1:${http}`, httpsUrl: `https://localhost:${https}` };
  const start = (): Promise<Program> => launch(Object.entries(all).map(([key, value]) => `--${key}=${value}`));
  let program = await start();
  const data = join(folder, 'data');
  try {
    await ready(program, urls.httpUrl);
    const client = await clientOf(urls.httpsUrl, data);
    return {
      ...urls,
      folder,
      client,
      get pid() {
        return program.pid;
      },
      output: () => program.stdout() + program.stderr(),
      kubectl: () => kubectlFor(join(data, 'kubeconfig'), folder),
      restart: () =>
        untilPortIsFree(async () => {
          program = await start();
          await ready(program, urls.httpUrl);
        }),
      ended: () => program.ended,
      kill: () => program.stop('SIGKILL'),
      stop: async () => {
        client.close();
        await program.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await program.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Ignores the settings in the environment of the tests. */
function launch(args: readonly string[]): Promise<Program> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('APISERVER_'));
  const options = { cwd: ROOT, env: Object.fromEntries(own) };
  return startProgram(process.execPath, [...programOf('apiserver'), ...args], options);
}

async function ready(program: Program, url: string): Promise<void> {
  const output = (): string => `${program.stdout()}${program.stderr()}`;
  await eventually(
    async () => {
      if (program.exitCode() !== undefined) {
        await program.ended;
        const Failure = output().includes('another program does already') ? PortTaken : Error;
        throw new Failure(`The server ended while it started:\n${output()}`);
      }
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      return answer?.ok === true ? true : undefined;
    },
    () => `The server was not ready in time:\n${output()}`,
  );
}

export function readExample(name: string): Promise<string> {
  return readFile(examplePath(name), 'utf8');
}

export function examplePath(name: string): string {
  return join(ROOT, 'hack', 'examples', name);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, MongoServerError } from 'mongodb';
import { PortTaken, untilPortIsFree } from '../ports.js';

/** The exit code of a mongod that cannot listen. */
const EXIT_NET_ERROR = 48;
const UNAUTHORIZED = 13;

export interface Member {
  readonly port: number;
  /** The id of the current process. `restart` changes it. */
  readonly pid: number;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill9(): Promise<void>;
  /** Stops the process if it runs, and starts it again on its data. Resolves when it answers. */
  restart(): Promise<void>;
  /** An orderly shutdown. */
  stop(): Promise<void>;
  /** Sends SIGSTOP: the sockets stay open, but nothing answers until `resume`. */
  pause(): void;
  resume(): void;
}

/** Starts one mongod on loopback, with its data in `folder`. */
export async function startMember(
  binary: string,
  folder: string,
  port: number,
  replSet?: string,
  more: readonly string[] = [],
): Promise<Member> {
  await mkdir(folder, { recursive: true });
  const start = (): Promise<Running> =>
    launch(binary, folder, port, [...(replSet ? ['--replSet', replSet] : []), ...more]);
  let running = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => running.end(signal);
  return {
    port,
    get pid() {
      return running.pid;
    },
    kill9: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    restart: async () => {
      await end('SIGTERM');
      running = await untilPortIsFree(start);
    },
    pause: () => process.kill(running.pid, 'SIGSTOP'),
    resume: () => process.kill(running.pid, 'SIGCONT'),
  };
}

interface Running {
  readonly pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function launch(binary: string, folder: string, port: number, more: readonly string[]): Promise<Running> {
  const log = join(folder, 'mongod.log');
  const child = spawn(binary, [...options(folder, log, port), ...more], {
    stdio: 'ignore',
    detached: true,
  });
  await once(child, 'spawn');
  const pid = child.pid as number;
  const gone = once(child, 'exit');
  const watchdog = guard(pid, folder);
  child.unref();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.ref();
      child.kill(signal);
      await gone;
    }
    watchdog.kill('SIGKILL');
    watchdog.stdin?.destroy();
  };
  try {
    await answers(port, child);
  } catch (cause) {
    await end('SIGKILL');
    const tail = (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(-8).join('\n');
    const Failure = child.exitCode === EXIT_NET_ERROR ? PortTaken : Error;
    throw new Failure(`The mongod on port ${port} did not come up. The end of its log:\n${tail}`, { cause });
  }
  return { pid, end };
}

function options(folder: string, log: string, port: number): readonly string[] {
  return [
    ...['--dbpath', folder, '--logpath', log, '--logappend', '--port', `${port}`, '--bind_ip', '127.0.0.1'],
    ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256', '--nounixsocket', '--quiet'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // By default, a primary that is asked to stop waits 15 s for its clients.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
}

/**
 * Kills a server and removes its data when this process has ended, even by SIGKILL. A shell waits on a pipe, and the
 * kernel closes the other end when this process ends. This needs only sh; PDEATHSIG exists on Linux only.
 */
export function guard(pid: number, folder: string): ChildProcess {
  const script = 'read -r _; kill -9 "$1" 2>/dev/null; sleep 1; rm -rf "$2"; rmdir "$(dirname "$2")" 2>/dev/null';
  const watchdog = spawn('/bin/sh', ['-c', script, 'watchdog', `${pid}`, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref?(): void } | null)?.unref?.();
  return watchdog;
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`mongod ended with ${child.exitCode}.`);
    // Another mongod may have the port, so the process id must match.
    const status = await ask(port, { serverStatus: 1 }).catch((error: unknown) =>
      // One with users tells strangers nothing, but it answers.
      error instanceof MongoServerError && error.code === UNAUTHORIZED ? { pid: child.pid } : undefined,
    );
    if (status !== undefined && Number(status['pid']) === child.pid) return;
    await sleep(100);
  }
  throw new Error('mongod does not answer.');
}

/** Sends one command to one member, whatever its state in the set. */
export async function ask(port: number, command: Record<string, unknown>): Promise<Record<string, unknown>> {
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 1000,
    connectTimeoutMS: 1000,
    socketTimeoutMS: 20_000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReplicaSet, startReplicaSet } from '../../hack/mongod/replica-set.js';
import { lifetime } from '../../pkg/system/time/lifetime.js';
import { startProxy } from '../faults/proxy.js';
import { within } from './bounds.js';
import { check, type Verdict } from './check.js';
import type { History } from './history.js';
import { flood, idleConnections, type Nuisance, slowLoris, slowWatchers } from './nuisances.js';
import { type Processes, startProcesses } from './processes.js';
import { Random } from './random.js';
import { simulate } from './simulate.js';

export interface FaultOptions {
  readonly seed: number;
  readonly times: number;
  readonly seconds: number;
  readonly store: string;
  /** The workers of each server process. */
  readonly workers: number;
}

export interface FaultResult extends Verdict {
  readonly injected: string;
}

/** Faults of a database that servers share. `--store` has no effect on them. */
export const ON_MONGODB: readonly string[] = ['stop', 'primary', 'stop-primary', 'network'];

export type Fault = (options: FaultOptions) => Promise<FaultResult>;
/** Seconds in which the last injection must end, including restarts and the election of a primary. */
const LONGEST_END = 180;

type Disturb = (signal: AbortSignal, history: History) => Promise<string>;

/** Runs the clients on server processes while the fault is injected, and checks what they saw. */
async function under({ seed, seconds }: FaultOptions, processes: Processes, disturb: Disturb): Promise<FaultResult> {
  let injected = '';
  try {
    const disturbing = async (signal: AbortSignal, history: History): Promise<void> => {
      const until = lifetime(signal, Math.max(1, seconds) * 1000);
      injected = await within(
        (seconds + LONGEST_END) * 1000,
        'the injection of the fault',
        disturb(until.signal, history),
      );
      until.end();
    };
    const history = await simulate({ seed, seconds: 1, doors: processes.doors, disturb: disturbing });
    return { ...check(history, { allowsGone: true }), injected };
  } catch (error) {
    const outputs = processes.servers.map((server) => server.output().slice(-2000));
    throw new Error(`the run did not end: ${outputs.join('\n')}`, { cause: error });
  } finally {
    await processes.stop();
  }
}

/** kill -9 of a server, and a restart, again and again. */
const kill: Fault = async (options) => {
  const set = options.store === 'mongodb' ? await startReplicaSet({ members: 1 }) : undefined;
  const processes = await startProcesses(set === undefined ? [] : [set.uri, set.uri], options.workers);
  const random = new Random(options.seed);
  let count = 0;
  try {
    return await under(options, processes, async (signal) => {
      for (; count < options.times && !signal.aborted; count++) {
        await sleep(1500 + 1000 * random.next());
        const server = random.pick(processes.servers);
        await server.kill();
        await server.restart();
      }
      return `kill -9 of a server ${count} times`;
    });
  } finally {
    await set?.stop();
  }
};

/** kill -9 of a worker, which the server starts again. */
const worker: Fault = async (options) => {
  const processes = await startProcesses([], options.workers);
  const random = new Random(options.seed);
  let count = 0;
  return under(options, processes, async (signal) => {
    for (; count < options.times && !signal.aborted; count++) {
      await sleep(1000 + 1000 * random.next());
      const workers = await childrenOf(processes.servers[0]?.pid ?? 0);
      if (workers.length > 0) process.kill(random.pick(workers), 'SIGKILL');
    }
    return `kill -9 of a worker ${count} times`;
  });
};

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** A fault of two servers on a replica set of so many members. `inject` does it once, and `injected` describes it. */
function onReplicaSet(
  members: 1 | 3,
  injected: string,
  inject: (set: ReplicaSet, processes: Processes, count: number) => Promise<void>,
): Fault {
  return async (options) => {
    const set = await startReplicaSet({ members });
    const processes = await startProcesses([set.uri, set.uri], options.workers);
    let count = 0;
    try {
      return await under(options, processes, async (signal) => {
        for (; count < options.times && !signal.aborted; count++) await inject(set, processes, count);
        return `${injected} ${count} times`;
      });
    } finally {
      await set.stop();
    }
  };
}

/** SIGSTOP of one of two servers for ten seconds. */
const stop = onReplicaSet(1, 'SIGSTOP of a server for 10 s', async (_, { servers }, count) => {
  const pid = servers[count % 2]?.pid ?? 0;
  await sleep(1000);
  process.kill(pid, 'SIGSTOP');
  await sleep(10_000);
  process.kill(pid, 'SIGCONT');
  await sleep(1000);
});

/** kill -9 of the primary of three members. */
const primary = onReplicaSet(3, 'kill -9 of the primary', async (set) => {
  const member = await set.primary();
  await sleep(1500);
  await member.kill9();
  await set.primary();
  await sleep(1000);
  await member.restart();
});

/** SIGSTOP of the primary of three members for ten seconds. Another one is elected meanwhile. */
const stopPrimary = onReplicaSet(3, 'SIGSTOP of the primary for 10 s', async (set) => {
  const member = await set.primary();
  await sleep(1500);
  member.pause();
  await sleep(10_000);
  member.resume();
  await sleep(1500);
});

/**
 * Lost connections, connections that stall or are slow, and answers that are lost, between one of two servers and
 * mongod.
 */
const network: Fault = async (options) => {
  const set = await startReplicaSet({ members: 1 });
  const proxy = await startProxy(set.members[0]?.port ?? 0);
  const processes = await startProcesses(
    [`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`, set.uri],
    options.workers,
  );
  const random = new Random(options.seed);
  const counts = new Map<string, number>();
  try {
    return await under(options, processes, async (signal) => {
      for (let i = 0; i < options.times && !signal.aborted; i++) {
        const mode = random.pick(['cut', 'stall', 'swallow-answers', 'delay'] as const);
        proxy.set(mode);
        await random.pause(3000);
        proxy.set('forward');
        await random.pause(2000);
        counts.set(mode, (counts.get(mode) ?? 0) + 1);
      }
      return `between a server and mongod: ${[...counts].map(([mode, count]) => `${mode} ${count} times`).join(', ')}`;
    });
  } finally {
    proxy.set('forward');
    await proxy.close();
    await set.stop();
  }
};

/** A disk of 64 MiB. Temporary folders, and so the data of servers, are on it until it is unmounted. Needs root. */
function smallDisk(): { readonly path: string; unmount(): void } {
  const path = mkdtempSync(join(tmpdir(), 'disk-full.'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', path]);
  const { TMPDIR: before } = process.env;
  process.env['TMPDIR'] = path;
  const unmount = (): void => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    execFileSync('umount', [path]);
    rmSync(path, { recursive: true });
  };
  return { path, unmount };
}

/** Takes all the space that is left. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  const some = Buffer.alloc(64 * 1024, 'x');
  try {
    while (writeSync(file, some) === some.byteLength);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

/** The disk of a server is full for a while. After that, the server is restarted every other time. */
const diskFull: Fault = async (options) => {
  const disk = smallDisk();
  const ballast = join(disk.path, 'ballast');
  try {
    const processes = await startProcesses([], options.workers);
    let count = 0;
    return await under(options, processes, async (signal, history) => {
      const [server] = processes.servers;
      if (server === undefined) return 'nothing';
      for (; count < options.times && !signal.aborted; count++) {
        await sleep(2000);
        fillDisk(ballast);
        await sleep(1500);
        if (!isThere(server.pid)) history.complaints.push(`the server ended by itself: ${server.output().slice(-200)}`);
        rmSync(ballast);
        await sleep(1000);
        // Every other time, the server is not restarted, because it must also accept writes again without that.
        if (count % 2 === 0) continue;
        await server.kill();
        await server.restart();
      }
      return `a disk without any space for 1.5 s, ${count} times, every other time with a restart after it`;
    });
  } finally {
    disk.unmount();
  }
};

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function nuisance(what: Nuisance): Fault {
  return async (options) => {
    const processes = await startProcesses([], options.workers);
    return under(options, processes, (signal) => what(processes, signal));
  };
}

export const PROCESS_FAULTS: Readonly<Record<string, Fault>> = {
  kill,
  worker,
  stop,
  primary,
  'stop-primary': stopPrimary,
  network,
  'disk-full': diskFull,
  'idle-connections': nuisance(idleConnections),
  'slow-loris': nuisance(slowLoris),
  'slow-watchers': nuisance(slowWatchers),
  flood: nuisance(flood),
};

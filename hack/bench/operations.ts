import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { administrator, fill } from './fixtures.js';
import type { Load, Loaded } from './load.js';
import type { BenchServer } from './server.js';

const run = promisify(execFile);

/** The environment of the operations. */
export interface Target {
  readonly server: BenchServer;
  readonly databasePid: number | undefined;
  /** The workers of the server, whose time counts, too. */
  readonly workerPids?: readonly number[];
  /** The program that loads the resource API. */
  readonly apiload: string;
  /** The number of folders in `default`. */
  readonly folders: number;
  readonly seconds: number;
}

/** CPU-ms for one operation. For watchers, it is a get and a put of an object that all of them see. */
export interface Cost {
  readonly server: number;
  readonly database: number;
}

/** The number of the round, for names that no earlier round used. */
export type Operation = (target: Target, round: number) => Promise<Cost>;

/** Operations that create folders come last, so that lists keep their length until then. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  get: apiload('-op', 'get', '-c', '16'),
  'get, resourceVersion=0': apiload('-op', 'get', '-c', '16', '-query', 'resourceVersion=0'),
  'list whole': apiload('-op', 'list', '-c', '2'),
  'list page of 500': apiload('-op', 'listpage', '-c', '4'),
  'update (get + put)': apiload('-op', 'update', '-c', '16'),
  '1 watcher': watched(1, 1000),
  '1,000 watchers': watched(1000, 300),
  '3,000 watchers': watched(3000, 200),
  'GET /api/teams/1': legacy('GET /api/teams/1'),
  'PUT /api/teams/1': legacy('PUT /api/teams/1'),
  'merge patch': legacy('PATCH folder'),
  'POST /api/folders': legacy('POST /api/folders'),
  'create, 1 client': creating('one', 1, 1000),
  'create, 16 clients': creating('some', 16, 3000),
  'create, 64 clients': creating('many', 64, 5000),
};

/** The team and the folders that the operations need. */
export async function prepare(target: Target): Promise<void> {
  const admin = administrator(target.server);
  await fill(admin);
  admin.close();
  await apiload('-op', 'create', '-c', '16', '-d', '600s')(target, 0);
}

function creating(prefix: string, clients: number, count: number): Operation {
  const args = ['-op', 'create', '-c', `${clients}`, '-n', `${count}`, '-d', '600s'];
  return (target, round) => apiload(...args, '-prefix', `${prefix}-${round}-`)(target, round);
}

/** 4 clients write. With one watcher, it is what the writes take. */
function watched(watchers: number, updates: number): Operation {
  return apiload('-op', 'watch', '-watchers', `${watchers}`, '-c', '4', '-updates', `${updates}`);
}

interface Line {
  readonly procs: Readonly<Record<string, { readonly cpu_ms: number }>>;
  readonly count: number;
  readonly errors: number;
  readonly first_error?: string;
}

/** The last value of an option counts, so `own` overrides the common options. */
function apiload(...own: readonly string[]): Operation {
  return async ({ server, databasePid, workerPids = [], apiload: program, folders, seconds }, round) => {
    const pids = [
      ...[server.child.pid, ...workerPids].map((pid, i) => `server${i}=${pid}`),
      ...(databasePid === undefined ? [] : [`database=${databasePid}`]),
    ];
    const where = [
      '-base',
      server.https.href,
      '-cacert',
      server.caFile,
      '-token',
      server.token,
      '-pids',
      pids.join(','),
    ];
    const args = [...where, '-n', `${folders}`, '-d', `${seconds}s`, '-warm', `${warmUp(round)}s`, ...own];
    const { stdout } = await pinned(program, args);
    const { procs, count, errors, first_error }: Line = JSON.parse(stdout);
    if (errors > 0) throw new Error(`${own.join(' ')}: ${errors} errors, the first: ${first_error}`);
    const each = (kind: string): number => {
      const spent = Object.entries(procs).map(([name, { cpu_ms }]) => (name.startsWith(kind) ? cpu_ms : 0));
      return sum(spent) / count;
    };
    return { server: each('server'), database: each('database') };
  };
}

function legacy(request: string): Operation {
  return async ({ server, databasePid, workerPids = [], seconds }, round) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const pids = [server.child.pid, ...workerPids, databasePid].filter((pid) => pid !== undefined);
    const load: Load = {
      url: server.http.href,
      headers,
      request,
      number: round * 1_000_000,
      clients: 16,
      warmUp: warmUp(round),
      seconds,
      pids,
    };
    const script = fileURLToPath(new URL('load.ts', import.meta.url));
    const { stdout } = await pinned(process.execPath, ['--import=tsx/esm', script, JSON.stringify(load)]);
    const { count, cpu }: Loaded = JSON.parse(stdout);
    const own = 1 + workerPids.length;
    return { server: sum(cpu.slice(0, own)) / count, database: sum(cpu.slice(own)) / count };
  };
}

/** Seconds. The first round is longer, because V8 compiles the code of the server in it. */
const warmUp = (round: number): number => (round === 0 ? 2 : 0.2);

/** Runs on the last processor, so that the load and the server disturb each other less. */
function pinned(program: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
  return run('taskset', ['-c', `${availableParallelism() - 1}`, program, ...args]);
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}

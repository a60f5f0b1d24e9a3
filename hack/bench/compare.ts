/**
 * Compares the server with its peer, which is Kubernetes' own API server for custom resources on etcd.
 *   npx tsx hack/bench/compare.ts [--objects 10000] [--seconds 6] [--servers peer,embedded,mongodb] [--only REGEXP]
 * Other servers are in contenders.ts: without earlier versions, with folders that are a custom kind, as those of the
 * peer are, and the least that a server in Node can do. Each server starts empty, and gets every operation in turn.
 * Prints the processor time (user and system, server and database) of an operation, and how many times more the peer
 * takes for it. Needs Go, and openssl, for the peer and for the load generator. Linux only. A run with 10,000 objects
 * takes about 10 minutes.
 */
import { execFile } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Contender } from './contender.js';
import { CONTENDERS } from './contenders.js';
import { FOLDERS } from './fixtures.js';
import { listAll } from './list-all.js';
import { median } from './median.js';
import { memoryOf } from './memory.js';
import { APILOAD, preparePeer } from './peer.js';
import { build } from './server.js';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '6' },
    servers: { type: 'string', default: 'peer,embedded,mongodb' },
    only: { type: 'string', default: '' },
  },
});
const run = promisify(execFile);
const only = new RegExp(values.only);
const D = ['-d', `${values.seconds}s`];

/**
 * The arguments of the load generator. The first operation fills the server, which has just started: a fifth of what
 * ours takes for it is V8, which compiles the code of a create. So what does not depend on the number of objects is
 * measured once more at the end ("warm"), as it is in a server that runs for longer than a minute.
 */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  'create, 16 clients': ['-op', 'create', '-c', '16', '-d', '900s'],
  'get, consistent': ['-op', 'get', '-c', '16', ...D],
  'get, resourceVersion=0': ['-op', 'get', '-c', '16', '-query', 'resourceVersion=0', ...D],
  'list, whole': ['-op', 'list', '-c', '2', ...D],
  'list, page of 500': ['-op', 'listpage', '-c', '4', ...D],
  'list, by label (2 %)': ['-op', 'list', '-c', '4', '-query', 'labelSelector=example.test%2Fteam%3Dteam-7', ...D],
  'update (get + put)': ['-op', 'update', '-c', '16', ...D],
  'server-side apply': ['-op', 'apply', '-c', '16', ...D],
  '1,000 events, 1,000 watchers': ['-op', 'watch', '-watchers', '1000', '-c', '4', '-updates', '300'],
  'create, 1 client': ['-op', 'create', '-c', '1', '-n', '100000', '-prefix', 'a', ...D],
  'create, 64 clients': ['-op', 'create', '-c', '64', '-n', '200000', '-prefix', 'b', ...D],
  'create, 16 clients, warm': ['-op', 'create', '-c', '16', '-n', '200000', '-prefix', 'c', ...D],
  'create, 64 clients, warm': ['-op', 'create', '-c', '64', '-n', '200000', '-prefix', 'd', ...D],
  'create, 1 client, warm': ['-op', 'create', '-c', '1', '-n', '100000', '-prefix', 'e', ...D],
  'get, resourceVersion=0, warm': ['-op', 'get', '-c', '16', '-query', 'resourceVersion=0', ...D],
  'update (get + put), warm': ['-op', 'update', '-c', '16', ...D],
};

/**
 * What was measured of a server, by the name of the operation. CPU is milliseconds an operation, or for 1,000 events of
 * a watch.
 */
interface Result {
  readonly server: number;
  readonly database: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

interface Measured {
  readonly operations: Readonly<Record<string, Result>>;
  /** MiB of anonymous memory of the server, and milliseconds of a restart. */
  readonly memory: { readonly filled: number; readonly rewritten: number; readonly restarted?: number };
  /** Absent if the server was not restarted. */
  readonly restart?: number;
  /**
   * Milliseconds from a restart until all objects were listed from memory. By then there are more of them: the creates
   * above have added theirs.
   */
  readonly listed?: number;
}

interface Run {
  /** Milliseconds that the load generator takes for a fixed amount of work: how fast this machine was. */
  readonly calibration: number;
  readonly machine: string;
  readonly objects: number;
  readonly servers: Readonly<Record<string, Measured>>;
}

/** The line that the load generator prints. */
interface Line {
  readonly procs: Readonly<Record<string, { readonly cpu_ms: number }>>;
  readonly count: number;
  readonly events?: number;
  readonly rps: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly calib_ms: number;
  readonly errors: number;
  readonly first_error?: string;
}

const calibrations: number[] = [];
await preparePeer();
await build(resolve('.'));
const measured: Record<string, Measured> = {};
for (const name of values.servers.split(',')) {
  const start = CONTENDERS[name];
  if (start === undefined) throw new Error(`There is no server ${name}.`);
  measured[name] = await measure(await start());
}
const result: Run = {
  calibration: median(calibrations),
  machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  objects: Number(values.objects),
  servers: measured,
};
report(result);

async function measure(server: Contender): Promise<Measured> {
  try {
    const operations: Record<string, Result> = {};
    let filled = 0;
    let rewritten = 0;
    for (const [name, args] of Object.entries(OPERATIONS)) {
      if (filled > 0 && !(only.test(name) && (server.operations?.test(name) ?? true))) continue;
      operations[name] = await load(server, args);
      process.stderr.write(`${server.name}: ${name} ${total(operations[name]).toFixed(3)} CPU-ms\n`);
      if (filled === 0) filled = anonymous(server);
      if (name.startsWith('1,000 events')) rewritten = anonymous(server);
    }
    const restart = await server.restart?.();
    if (restart === undefined) return { operations, memory: { filled, rewritten } };
    const memory = { filled, rewritten, restarted: anonymous(server) };
    return { operations, memory, restart, listed: restart + (await listAll(server)) };
  } finally {
    await server.stop();
  }
}

async function load(server: Contender, own: readonly string[]): Promise<Result> {
  const { server: pid, database } = server.pids();
  const pids = [`server=${pid}`, ...(database === undefined ? [] : [`database=${database}`])].join(',');
  const { collection = FOLDERS } = server;
  const where = [
    '-base',
    server.base,
    '-path',
    collection,
    '-cacert',
    server.caFile,
    '-token',
    server.token,
    '-pids',
    pids,
  ];
  const { stdout } = await run(APILOAD, [...where, '-n', values.objects, ...own]);
  const line: Line = JSON.parse(stdout);
  if (line.errors > 0)
    throw new Error(`${server.name}: ${own.join(' ')}: ${line.errors} errors, the first: ${line.first_error}`);
  calibrations.push(line.calib_ms);
  const divisor = line.events === undefined ? line.count : line.events / 1000;
  const cpu = (name: string): number => (line.procs[name]?.cpu_ms ?? 0) / divisor;
  return { server: cpu('server'), database: cpu('database'), rate: line.rps, p50: line.p50_ms, p99: line.p99_ms };
}

function report({ servers, objects, machine, calibration }: Run): void {
  print(`${objects} objects on ${machine}; calibration ${calibration.toFixed(1)} ms`);
  print(
    row(
      'CPU-ms',
      Object.keys(servers).flatMap((name) => [name, '× peer', 'p50 ms', 'p99 ms']),
    ),
  );
  for (const operation of Object.keys(OPERATIONS)) {
    const cells = Object.entries(servers).flatMap(([name, { operations }]) => {
      const own = operations[operation];
      const ratio = ratioOf(servers, name, operation);
      return own === undefined
        ? ['', '', '', '']
        : [total(own).toFixed(3), times(ratio), own.p50.toFixed(1), own.p99.toFixed(1)];
    });
    print(row(operation, cells));
  }
  for (const part of ['filled', 'rewritten', 'restarted'] as const)
    print(
      row(
        `MiB ${part}`,
        Object.values(servers).flatMap(({ memory }) => [`${memory[part] ?? '-'}`, '', '', '']),
      ),
    );
  for (const [name, part] of Object.entries({
    'restart, first object, ms': 'restart',
    'restart, whole list, ms': 'listed',
  } as const))
    print(
      row(
        name,
        Object.values(servers).flatMap((one) => [one[part]?.toFixed(0) ?? '-', '', '', '']),
      ),
    );
}

/** How many times more the peer takes. */
function ratioOf(servers: Run['servers'], name: string, operation: string): number | undefined {
  const [peer, own] = [servers['peer']?.operations[operation], servers[name]?.operations[operation]];
  return peer && own && total(peer) / total(own);
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? '-' : ratio.toFixed(2);
}

function total({ server, database }: Result): number {
  return server + database;
}

function anonymous(server: Contender): number {
  return memoryOf(server.pids().server).anonymous;
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(30) + cells.map((cell) => cell.padStart(9)).join('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Measures what several logs carry in one process, without a server: where the next limit lies if organizations are
 * divided over logs (docs/scale.md).
 *   npx tsx hack/bench/logs.ts [--store lmdb|mongodb] [--logs 1,4,16] [--writers 64] [--seconds 5]
 * The writers are divided over the logs. Each creates an object of 1 KB, waits for its answer, and creates the next
 * one. A log appends all that waits in one commit, as the engine does, and its objects follow once a second. All logs
 * take turns, so that they see the same machine. Prints creates a second, the milliseconds of a create (median), CPU-ms
 * of a create, of this process and of mongod, the KB that this process passes to the system for it, and the creates of
 * a commit. Linux only.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import type { Backend } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { startReplicaSet } from '../mongod/replica-set.js';
import { cpuMs, writtenBytes } from './cpu.js';
import { median } from './median.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'lmdb' },
    logs: { type: 'string', default: '1,4,16' },
    writers: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '5' },
  },
});
const [WRITERS, SECONDS] = [Number(values.writers), Number(values.seconds)];
const ROUNDS = 3;
const TEXT = 'x'.repeat(800);

/** One log, and the creates that wait for their commit. */
class Log {
  readonly #backend: Backend;
  readonly #timer: NodeJS.Timeout;
  #queue: (() => void)[] = [];
  #isRunning = false;
  #carrying: Promise<unknown> | undefined;
  #end = 0;
  #last: string | undefined;
  commits = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#timer = setInterval(() => {
      this.#carrying ??= backend.materialize?.().finally(() => {
        this.#carrying = undefined;
      });
    }, 1000);
  }

  create(): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#carrying;
    await this.#backend.close();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Those who were answered together write again together.
    await new Promise(setImmediate);
    while (this.#queue.length > 0) {
      const answered = this.#queue;
      this.#queue = [];
      const changes = answered.map((_, i) => creation(this.#end + i + 1));
      const batch = { commitId: ulid(), parent: this.#last, changes, counters: new Map([['folders', this.#end]]) };
      await this.#backend.append(this.#end, batch);
      this.#end += changes.length;
      this.#last = batch.commitId;
      this.commits++;
      for (const answer of answered) answer();
      await new Promise(setImmediate);
    }
    this.#isRunning = false;
  }
}

function creation(revision: number) {
  const object = {
    metadata: { name: `f${revision}`, uid: randomUUID() },
    spec: { title: `Title ${revision}`, text: TEXT },
  };
  const key = keyOf('folders.folder.svc.app', 'default', object.metadata.name);
  return { key, revision, value: Buffer.from(JSON.stringify(object)), object };
}

const set = values.store === 'mongodb' ? await startReplicaSet({ members: 1 }) : undefined;
const folder = await mkdtemp(join(tmpdir(), 'bench-logs-'));
const mongod = set?.members[0]?.pid;

async function open(name: string): Promise<Log> {
  if (set === undefined) return new Log(await openLmdb({ path: join(folder, name), domain: 'svc.app' }));
  return new Log(await openMongodb({ uri: set.uri, database: name, domain: 'svc.app' }));
}

interface Used {
  count: number;
  commits: number;
  seconds: number;
  own: number;
  database: number;
  bytes: number;
  readonly times: number[];
}

async function measure(logs: readonly Log[], used: Used): Promise<void> {
  const databaseMs = (): number => (mongod === undefined ? 0 : cpuMs(mongod));
  const commits = (): number => logs.reduce((sum, log) => sum + log.commits, 0);
  const before = { own: cpuMs(process.pid), database: databaseMs(), bytes: writtenBytes(), commits: commits() };
  const began = performance.now();
  const until = began + (SECONDS * 1000) / ROUNDS;
  const write = async (log: Log): Promise<void> => {
    for (let now = performance.now(); now < until; ) {
      await log.create();
      const answered = performance.now();
      used.times.push(answered - now);
      used.count++;
      now = answered;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, i) => write(logs[i % logs.length] as Log)));
  used.seconds += (performance.now() - began) / 1000;
  used.own += cpuMs(process.pid) - before.own;
  used.database += databaseMs() - before.database;
  used.bytes += writtenBytes() - before.bytes;
  used.commits += commits() - before.commits;
}

const counts = values.logs.split(',').map(Number);
const measured: { readonly logs: readonly Log[]; readonly used: Used }[] = [];
for (const count of counts) {
  const logs = await Promise.all(Array.from({ length: count }, (_, i) => open(`log-${count}-${i}`)));
  measured.push({ logs, used: { count: 0, commits: 0, seconds: 0, own: 0, database: 0, bytes: 0, times: [] } });
}
// The first round compiles.
for (const { logs, used } of measured) await measure(logs, { ...used, times: [] });
for (let round = 0; round < ROUNDS; round++) for (const { logs, used } of measured) await measure(logs, used);
for (const { logs, used } of measured) {
  const { count, seconds, own, database, bytes, commits, times } = used;
  const each = (ms: number): string => (ms / count).toFixed(3);
  process.stdout.write(
    `${values.store}, ${WRITERS} writers, logs: ${logs.length}: ${Math.round(count / seconds)} a second, ${median(times).toFixed(1)} ms, ` +
      `${each(own)} + ${each(database)} CPU-ms, ${(bytes / 1024 / count).toFixed(1)} KB, ${(count / commits).toFixed(1)} in a commit\n`,
  );
}
for (const { logs } of measured) for (const log of logs) await log.close();
await set?.stop();
await rm(folder, { recursive: true });

/**
 * `npx tsx hack/bench/servers.ts [--root=.] [--servers=4] [--rate=2000] [--seconds=10] [--pause=stop|kill]`: several
 * servers on one MongoDB, to which clients offer so many creations a second, in turn to each server. Prints the rate,
 * the latencies and the share of each server, and the CPU of all. With `--pause`, the first server is stopped for ten
 * seconds, or killed, after a third of the time; the longest time without any answer is printed, and whether every
 * acknowledged folder is there.
 */
import { parseArgs } from 'node:util';
import { startReplicaSet } from '../mongod.js';
import { type Client, clientOf } from './client.js';
import { cpuMs } from './cpu.js';
import { FOLDERS } from './fixtures.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    servers: { type: 'string', default: '4' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '10' },
    pause: { type: 'string' },
  },
});
const [count, rate, seconds] = [Number(values.servers), Number(values.rate), Number(values.seconds)];
/** Requests that wait for an answer. Beyond it, a server is not offered more, because it would only answer 429. */
const MOST_WAITING = 400;
const WARM_UP = 3;
const STOPPED_FOR = 10_000;

interface Lane {
  readonly name: string;
  readonly client: Client;
  readonly taken: number[];
  readonly acknowledged: string[];
  waiting: number;
  failed: number;
  left: number;
}

await build(values.root);
const database = await startReplicaSet({ members: 1 });
const servers: BenchServer[] = [];
try {
  const args = ['--storage.backend=mongodb', `--storage.mongodb_uri=${database.uri}`, '--limits.max_queued=4000'];
  const secret = '--security.secret_key=only for this measurement';
  for (let i = 0; i < count; i++) servers.push(await startBuilt({ root: values.root, args: [...args, secret] }));
  await measure(servers);
} finally {
  for (const { child } of servers) child.kill('SIGCONT');
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}

async function measure(all: readonly BenchServer[]): Promise<void> {
  const clients = all.map(({ http, token }) => clientOf(http, { authorization: `Bearer ${token}` }));
  const lanes = (): Lane[] =>
    clients.map((client, i) => ({
      name: `${i}`,
      client,
      taken: [],
      acknowledged: [],
      waiting: 0,
      failed: 0,
      left: 0,
    }));
  await offer(lanes(), 'warm', WARM_UP);
  const measured = lanes();
  const cpu = () =>
    [...all.map(({ child }) => child.pid ?? 0), database.members[0]?.pid ?? 0].map((pid) => cpuSafe(pid));
  const before = cpu();
  const paused = pause(all[0]);
  const gap = await offer(measured, 'm', seconds);
  await paused;
  const used = cpu().map((ms, i) => ms - (before[i] ?? 0));
  report(measured, used);
  for (const client of clients) await commits(client);
  if (values.pause !== undefined) await verify(measured, clients[1], gap);
  for (const client of clients) client.close();
}

/** A killed server has no times any more. */
function cpuSafe(pid: number): number {
  try {
    return cpuMs(pid);
  } catch {
    return Number.NaN;
  }
}

async function pause(server: BenchServer | undefined): Promise<void> {
  if (values.pause === undefined || server === undefined) return;
  await sleep((seconds * 1000) / 3);
  if (values.pause === 'kill') server.child.kill('SIGKILL');
  else {
    server.child.kill('SIGSTOP');
    await sleep(STOPPED_FOR);
    server.child.kill('SIGCONT');
  }
}

/**
 * Offers creations at the rate, whether or not earlier ones are answered. Resolves with the longest time without an
 * answer of any server.
 */
async function offer(lanes: readonly Lane[], prefix: string, duration: number): Promise<number> {
  const began = performance.now();
  const running: Promise<void>[] = [];
  let [sent, last, gap] = [0, began, 0];
  const answered = (): void => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    last = now;
  };
  while (performance.now() - began < duration * 1000) {
    const due = ((performance.now() - began) / 1000) * rate;
    while (sent < due) {
      const lane = lanes[sent % lanes.length] as Lane;
      const name = `${prefix}-${sent++}`;
      if (lane.waiting >= MOST_WAITING) lane.left++;
      else running.push(create(lane, name, answered));
    }
    await sleep(2);
  }
  await Promise.all(running);
  return gap;
}

async function create(lane: Lane, name: string, answered: () => void): Promise<void> {
  const began = performance.now();
  lane.waiting++;
  try {
    await lane.client.send({ method: 'POST', path: FOLDERS, body: { metadata: { name }, spec: { title: name } } });
    lane.taken.push(performance.now() - began);
    lane.acknowledged.push(name);
    answered();
  } catch {
    lane.failed++;
  }
  lane.waiting--;
}

function report(lanes: readonly Lane[], used: readonly number[]): void {
  const all = lanes.flatMap(({ taken }) => taken);
  for (const { name, taken, failed, left } of [...lanes, { ...sumOf(lanes), name: 'all', taken: all }]) {
    taken.sort((a, b) => a - b);
    const at = (share: number): string => (taken[Math.floor(share * (taken.length - 1))] ?? Number.NaN).toFixed(1);
    const share = ((100 * taken.length) / all.length).toFixed(1);
    process.stdout.write(
      `server ${name}: ${Math.round(taken.length / seconds)}/s (${share} %), p50 ${at(0.5)} ms, p90 ${at(0.9)}, p99 ${at(0.99)}, max ${at(1)}, failed ${failed}, not sent ${left}\n`,
    );
  }
  const each = used.map((ms) => (ms / all.length).toFixed(3));
  process.stdout.write(`CPU-ms for each write: servers ${each.slice(0, -1).join(', ')}, database ${each.at(-1)}\n`);
}

/** Since the start of the server. A killed one says nothing. */
async function commits(client: Client): Promise<void> {
  const { text } = await client.send({ method: 'GET', path: '/metrics' }).catch(() => ({ text: '' }));
  const of = (name: string): string => new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? '?';
  const [batches, changes, behind] = ['batch_changes_count', 'batch_changes_sum', 'behind_total'].map((name) =>
    of(`apiserver_engine_${name}`),
  );
  process.stdout.write(`appends ${batches}, with changes ${changes}, refused because another server wrote ${behind}\n`);
}

function sumOf(lanes: readonly Lane[]) {
  const sum = (of: 'failed' | 'left'): number => lanes.reduce((total, lane) => total + lane[of], 0);
  return { failed: sum('failed'), left: sum('left') };
}

async function verify(lanes: readonly Lane[], client: Client | undefined, gap: number): Promise<void> {
  const { text } = (await client?.send({ method: 'GET', path: FOLDERS })) ?? { text: '{"items":[]}' };
  const stored = new Set(JSON.parse(text).items.map((item: { metadata: { name: string } }) => item.metadata.name));
  const lost = lanes.flatMap(({ acknowledged }) => acknowledged).filter((name) => !stored.has(name));
  process.stdout.write(`longest time without an answer ${Math.round(gap)} ms, acknowledged but lost: ${lost.length}\n`);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

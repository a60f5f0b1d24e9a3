/**
 * Measures what one user who floods the server does to another, who sends 50 gets a second.
 *   npx tsx hack/bench/fairness.ts [ROOT] [--rounds 3] [--seconds 3] [--only TEXT] [--workers auto] [--turns 1] [--built]
 * Builds and starts the server of a checkout, by default this one (`--built`: it is built already). With `--turns`, each flood is measured N times,
 * each time after a server without one. The medians of the lowest p99 of both are printed. They are comparable on a machine that others use, too.
 * Prints p50, p99 and the longest latency of the polite user in milliseconds, without and with each flood, the p99 of each round, and the responses
 * that the flood got. The first three are of the round with the lowest p99, because other processes only make it higher. The flood has the lowest
 * priority for the processor, so that it disturbs the polite client only through the server. Needs Linux and two processors.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Client, clientOf } from './client.js';
import { administrator, credentialsOf, FOLDERS } from './fixtures.js';
import type { Flood } from './flood.js';
import { FRAME_FLOODS, type FrameFlood } from './flood-frames.js';
import { median } from './median.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '1' },
    turns: { type: 'string', default: '1' },
    built: { type: 'boolean', default: false },
  },
});

type Shape = Omit<Flood, 'http' | 'https' | 'authorization'> | Omit<FrameFlood, 'https' | 'authorization'>;
const h1 = (kind: Flood['kind'], connections: number): Shape => ({
  kind,
  protocol: 'HTTP/1.1',
  connections,
  streams: 1,
});
const h2 = (kind: Flood['kind'], connections: number, streams: number): Shape => ({
  kind,
  protocol: 'HTTP/2',
  connections,
  streams,
});
const frames = (kind: FrameFlood['frames'], connections: number): Shape => ({ frames: kind, connections });
const FLOODS: readonly Shape[] = [
  h1('get', 64),
  h1('get', 500),
  h1('get', 3000),
  h2('get', 1, 64),
  h2('get', 16, 64),
  h1('list', 64),
  h2('list', 1, 64),
  h1('create', 64),
  h2('create', 4, 64),
  h1('watch', 64),
  h1('watch', 500),
  h1('unknown token', 500),
  h1('update', 64),
  h1('query history', 64),
  h1('search', 16),
  h1('slow body', 1000),
  h1('unread list', 500),
  h1('unread watch', 500),
  h2('long watch', 10, 1000),
  { ...h2('long watch', 10, 1000), writers: 8 },
  { ...h2('selective watch', 10, 500), writers: 8 },
  ...FRAME_FLOODS.map((kind) => frames(kind, kind === 'handshakes' ? 64 : 8)),
];
const FOLDER_COUNT = 2000;
const EVERY = 20;

const root = resolve(positionals[0] ?? '.');
const turns = Number(values.turns);
if (!values.built) await build(root);
print('flood', 'p50', 'p99', 'longest', 'p99s', 'responses');
const chosen = FLOODS.filter((shape) => nameOf(shape).includes(values.only));
if (turns === 1) for (const shape of [undefined, ...chosen, undefined]) await measure(shape);
else for (const shape of chosen) await compare(shape);

/** A server without the flood and one with it, by turns. */
async function compare(shape: Shape): Promise<void> {
  const [calm, flooded]: [number[], number[]] = [[], []];
  for (let i = 0; i < turns; i++) {
    calm.push(await measure(undefined));
    flooded.push(await measure(shape));
  }
  const [without, with_] = [median(calm), median(flooded)];
  print(`medians: ${nameOf(shape)}`, ...[without, with_, with_ / without].map((one) => one.toFixed(2)));
}

/** Each flood meets a new server, because some create objects. Resolves to the lowest p99. */
async function measure(shape: Shape | undefined): Promise<number> {
  const server = await startBuilt({ root, args: [`--server.workers=${values.workers}`] });
  try {
    const admin = administrator(server);
    await fill(admin);
    const polite = clientOf(server.http, await credentialsOf('account', server, admin));
    await latencies(polite, 2);
    const flood = shape && startFlood(shape, server);
    if (shape !== undefined) await latencies(polite, 2);
    const rounds: Latencies[] = [];
    for (let i = 0; i < Number(values.rounds); i++) rounds.push(await latencies(polite, Number(values.seconds)));
    const best = rounds.reduce((one, other) => (other.p99 < one.p99 ? other : one));
    const all = rounds.map(({ p99 }) => p99.toFixed(1)).join(' ');
    print(
      nameOf(shape),
      ...[best.p50, best.p99, best.longest].map((one) => one.toFixed(2)),
      all,
      (await flood?.stop()) ?? '',
    );
    for (const client of [admin, polite]) client.close();
    return best.p99;
  } finally {
    await server.stop();
  }
}

async function fill({ send }: Client): Promise<void> {
  const one = (i: number) => ({
    apiVersion: 'folder.svc.app/v1beta1',
    kind: 'Folder',
    metadata: { name: `folder-${i}` },
    spec: { title: `Folder ${i}` },
  });
  for (let from = 0; from < FOLDER_COUNT; from += 100) {
    const some = Array.from({ length: 100 }, (_, i) => send({ method: 'POST', path: FOLDERS, body: one(from + i) }));
    await Promise.all(some);
  }
}

/** The administrator sends the flood, and may do all of it. */
function startFlood(shape: Shape, { http, https, token }: BenchServer): { stop(): Promise<string> } {
  const flood = { ...shape, http: http.href, https: https.href, authorization: `Bearer ${token}` };
  const script = fileURLToPath(new URL('frames' in shape ? 'flood-http2.ts' : 'flood.ts', import.meta.url));
  const args = ['-n', '19', process.execPath, '--import=tsx/esm', script, JSON.stringify(flood)];
  const child = spawn('nice', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  const stop = async (): Promise<string> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    return printed;
  };
  return { stop };
}

interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** A late response does not hold up the next request. */
async function latencies(client: Client, seconds: number): Promise<Latencies> {
  const taken: Promise<number>[] = [];
  const get = async (): Promise<number> => {
    const begun = performance.now();
    await client.send({ method: 'GET', path: `${FOLDERS}/folder-7` });
    return performance.now() - begun;
  };
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    taken.push(get());
    await new Promise((wait) => setTimeout(wait, EVERY));
  }
  const sorted = (await Promise.all(taken)).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
}

function nameOf(shape: Shape | undefined): string {
  if (shape === undefined) return 'none';
  if ('frames' in shape) return `${shape.frames} ${shape.connections}`;
  const { kind, protocol, connections, streams, writers = 0 } = shape;
  const written = writers > 0 ? ` + ${writers}` : '';
  return `${kind} ${protocol} ${connections}${streams > 1 ? ` x ${streams}` : ''}${written}`;
}

function print(name: string, ...columns: readonly string[]): void {
  process.stdout.write(`${name.padEnd(24)}${columns.map((column) => column.padStart(10)).join(' ')}\n`);
}

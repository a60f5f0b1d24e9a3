/**
 * Measures very many watches of one object each: how much of a core the server takes for their events.
 *   npx tsx hack/bench/watchers.ts [--watchers 10000] [--rate 1000] [--seconds 10]
 * Each watch is for another folder. Folders that nobody else watches are updated at the rate, each by one watcher's
 * name in turn. Prints a line of JSON: the share of a core, the events that arrived, the delay from the answer of the
 * update to the event, and the memory of a watch.
 */

import { readFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CONTENDERS } from './contenders.js';
import { cpuMs } from './cpu.js';
import { rounded } from './latency.js';
import { memoryOf } from './memory.js';
import { build } from './server.js';

const { values } = parseArgs({
  options: {
    watchers: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
  },
});
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const WATCHES_EACH = 500;
const [watchers, rate, seconds] = [Number(values.watchers), Number(values.rate), Number(values.seconds)];

await build(resolve('.'));
const start = CONTENDERS['embedded'];
if (start === undefined) throw new Error('there is no embedded store');
const server = await start();
const ca = await readFile(server.caFile);
const sessions = Array.from({ length: Math.ceil(watchers / WATCHES_EACH) + 1 }, () => connect(server.base, { ca }));
const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
try {
  await inTurn(watchers, 64, (index) =>
    send('POST', FOLDERS, { metadata: { name: nameOf(index) }, spec: { title: nameOf(index) } }),
  );
  const { pids } = server;
  const before = memoryOf(pids().server).anonymous;
  const answered = new Map<number, number>();
  const delays: number[] = [];
  const { resourceVersion } = JSON.parse(await send('GET', `${FOLDERS}?limit=1`)).metadata;
  await inTurn(watchers, 64, (index) =>
    watch(index, resourceVersion, () => {
      const at = answered.get(index);
      delays.push(at === undefined ? 0 : performance.now() - at);
    }),
  );
  await sleep(2000);
  const memory = memoryOf(pids().server).anonymous - before;
  const idle = await cpuOver(5000);
  const cpu = cpuMs(pids().server);
  const began = performance.now();
  let sent = 0;
  while (performance.now() - began < seconds * 1000) {
    const due = Math.min(Math.floor(((performance.now() - began) / 1000) * rate), seconds * rate);
    const batch = Array.from({ length: Math.min(due - sent, 64) }, (_, i) => (sent + i) % watchers);
    sent += batch.length;
    await Promise.all(
      batch.map(async (index) => {
        answered.set(index, performance.now());
        await send(
          'PATCH',
          `${FOLDERS}/${nameOf(index)}`,
          { spec: { description: `${sent}` } },
          'application/merge-patch+json',
        );
      }),
    );
    await sleep(1);
  }
  const took = performance.now() - began;
  const used = cpuMs(pids().server) - cpu;
  await sleep(500);
  delays.sort((a, b) => a - b);
  const at = (share: number): number => rounded(delays[Math.floor(delays.length * share)] ?? Number.NaN);
  const result = {
    watchers,
    updates: sent,
    perSecond: rounded((sent / took) * 1000),
    events: delays.length,
    core: rounded(used / took),
    idleCore: rounded(idle),
    cpuEach: rounded(used / sent),
    fromSendP50: at(0.5),
    fromSendP99: at(0.99),
    kibEach: rounded((memory * 1024) / watchers),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  for (const session of sessions) session.destroy();
  await server.stop();
}

function nameOf(index: number): string {
  return `w${String(index).padStart(6, '0')}`;
}

/** The share of a core that the server takes. */
async function cpuOver(milliseconds: number): Promise<number> {
  const before = cpuMs(server.pids().server);
  await sleep(milliseconds);
  return (cpuMs(server.pids().server) - before) / milliseconds;
}

async function inTurn(count: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function send(method: string, path: string, body?: object, type = 'application/json'): Promise<string> {
  const session = sessions[sessions.length - 1];
  if (session === undefined) throw new Error('there is a session');
  const stream = session.request({ ...headers, 'content-type': type, ':method': method, ':path': path });
  stream.end(body && JSON.stringify(body));
  return new Promise((resolve, reject) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
    });
    stream.on('end', () => resolve(text));
    stream.on('error', reject);
  });
}

/** Resolves when the watch has begun. */
function watch(index: number, after: string, onEvent: () => void): Promise<void> {
  const session = sessions[Math.floor(index / WATCHES_EACH)];
  if (session === undefined) throw new Error('there is a session');
  const query = `?watch=1&resourceVersion=${after}&fieldSelector=metadata.name%3D${nameOf(index)}`;
  const stream = session.request({ ...headers, ':path': `${FOLDERS}${query}` });
  return new Promise((resolve, reject) => {
    stream.on('response', ({ ':status': status }) => {
      if (status === 200) resolve();
      else reject(new Error(`the watch was answered ${status}`));
    });
    stream.on('data', onEvent);
    stream.on('error', reject);
  });
}

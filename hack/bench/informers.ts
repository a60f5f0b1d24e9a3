/**
 * Measures many informers that start together, as after a restart of their programs: each gets all objects by one watch (WatchList, KEP-3157).
 *   npx tsx hack/bench/informers.ts [--informers 1000] [--objects 10000] [--servers peer,embedded]
 * Prints a line of JSON for each server: the processor time of the server and its database in milliseconds for each informer, the most memory that
 * the server took for them in MiB, and the seconds until the last informer had everything.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Contender } from './contender.js';
import { CONTENDERS } from './contenders.js';
import { cpuMs } from './cpu.js';
import { rounded } from './latency.js';
import { memoryOf } from './memory.js';
import { APILOAD, preparePeer } from './peer.js';
import { build } from './server.js';

const { values } = parseArgs({
  options: {
    informers: { type: 'string', default: '1000' },
    objects: { type: 'string', default: '10000' },
    servers: { type: 'string', default: 'peer,embedded' },
  },
});
const PATH =
  '/apis/folder.svc.app/v1beta1/namespaces/default/folders?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const END = 'k8s.io/initial-events-end';
const EACH = 50;

await preparePeer();
await build(resolve('.'));
for (const name of values.servers.split(',')) {
  const start = CONTENDERS[name];
  if (start === undefined) throw new Error(`There is no server ${name}.`);
  const server = await start();
  try {
    process.stdout.write(`${JSON.stringify({ server: name, ...(await measure(server)) })}\n`);
  } finally {
    await server.stop();
  }
}

async function measure(server: Contender) {
  const where = ['-base', server.base, '-cacert', server.caFile, '-token', server.token];
  await promisify(execFile)(APILOAD, [...where, '-op', 'create', '-c', '16', '-n', values.objects, '-d', '900s']);
  const count = Number(values.informers);
  const ca = await readFile(server.caFile);
  const sessions = Array.from({ length: Math.ceil(count / EACH) }, () => connect(server.base, { ca }));
  await informer(sessions[0], server.token);
  const cpu = (): number => Object.values(server.pids()).reduce((sum: number, pid) => sum + (pid ? cpuMs(pid) : 0), 0);
  const memory = (): number => memoryOf(server.pids().server).anonymous;
  const [cpuBefore, memoryBefore, began] = [cpu(), memory(), performance.now()];
  let most = memoryBefore;
  const sampling = setInterval(() => {
    most = Math.max(most, memory());
  }, 100);
  await Promise.all(
    Array.from({ length: count }, (_, index) => informer(sessions[index % sessions.length], server.token)),
  );
  clearInterval(sampling);
  const seconds = (performance.now() - began) / 1000;
  for (const session of sessions) session.destroy();
  return {
    informers: count,
    cpuEach: rounded((cpu() - cpuBefore) / count),
    mib: most - memoryBefore,
    seconds: rounded(seconds),
  };
}

/** Reads a watch until it has all objects. */
function informer(session: ClientHttp2Session | undefined, token: string): Promise<void> {
  if (session === undefined) throw new Error('there is a session');
  const stream = session.request({ authorization: `Bearer ${token}`, ':path': PATH });
  return new Promise((resolve, reject) => {
    let tail = '';
    stream.setEncoding('latin1');
    stream.on('data', (chunk: string) => {
      if ((tail + chunk).includes(END)) {
        stream.close();
        resolve();
      }
      tail = chunk.slice(-END.length);
    });
    stream.on('error', reject);
    stream.on('end', () => reject(new Error('a watch ended before it had all objects')));
  });
}

/**
 * Measures the longest time for which one request stops the server from doing anything else. Sends bodies that are
 * costly to decode, one after another.
 *   npx tsx hack/bench/event-loop.ts [largest|refused] [part of a name]
 * `largest` sends the largest bodies that are decoded (the default), `refused` those with as many values as a body can
 * have. Prints one line of JSON for each body: the CPU time of the longest step of the event loop, its longest gap by
 * the clock, and the CPU time of the request, in milliseconds (the least of `ROUNDS`, 5 by default), the status, and
 * the memory of the server in MiB. The longest steps come first. On a machine that others use, a gap is also their
 * time.
 */
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { FOLDERS } from './fixtures.js';
import { HOSTILE_FOLDER, type HostileBody, hostileBodies, LARGEST, REFUSED } from './hostile-bodies.js';
import { loopOf, MONITORED } from './loop-monitor.js';
import { type BenchServer, build, startBuilt } from './server.js';

const sizes = process.argv[2] === 'refused' ? REFUSED : LARGEST;
const part = process.argv[3] ?? '';
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

await build(ROOT);
const server = await startBuilt({ root: ROOT, execArgv: MONITORED });
try {
  await create(server);
  const lines: Awaited<ReturnType<typeof measure>>[] = [];
  for (const body of hostileBodies(sizes)) if (body.name.includes(part)) lines.push(await measure(server, body));
  lines.sort((a, b) => b.step - a.step);
  for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`);
} finally {
  await server.stop();
}

async function create(of: BenchServer): Promise<void> {
  const path = FOLDERS;
  const body = Buffer.from(JSON.stringify({ metadata: { name: HOSTILE_FOLDER }, spec: { title: 'x' } }));
  await send(of, { name: '', method: 'POST', path, contentType: 'application/json', body });
}

async function measure(of: BenchServer, body: HostileBody) {
  const never = Number.POSITIVE_INFINITY;
  let [step, gap, cpu, status, rss] = [never, never, never, 0, 0];
  for (let i = 0; i < ROUNDS; i++) {
    await loopOf(of);
    status = await send(of, body);
    const answer = await loopOf(of);
    step = Math.min(step, answer.longest);
    gap = Math.min(gap, answer.gap);
    cpu = Math.min(cpu, answer.cpu);
    rss = Math.round(answer.rss / 2 ** 20);
  }
  return { name: body.name, step: Math.round(step), gap: Math.round(gap), cpu: Math.round(cpu), status, rss };
}

function send({ http, token }: BenchServer, { method, path, contentType, body }: HostileBody): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': contentType, 'content-length': body.length };
  return new Promise((resolve, reject) => {
    request(new URL(path, http), { method, headers, agent: false })
      .on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
      .on('error', reject)
      .end(body);
  });
}

/**
 * Measures what a get costs after some milliseconds without requests, as of a client that waits for the disk after each of its writes.
 *   npx tsx hack/bench/pauses.ts [--gets 800]
 * Prints the CPU-ms of a get (user and system), of the built server and of a server that only answers with the same bytes (bare-server.ts). One
 * client. Linux only. Needs Go, and openssl, for the certificates.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuMs } from './cpu.js';
import { administrator, FOLDERS } from './fixtures.js';
import { CERTIFICATES, preparePeer } from './peer.js';
import { build, startBuilt } from './server.js';

const { values } = parseArgs({ options: { gets: { type: 'string', default: '800' } } });
/** Milliseconds. Each is measured twice, because the first time compiles. */
const PAUSES = [0, 1, 3, 0, 1, 3];
const WARM_UP = 3000;

await preparePeer();
await build(resolve('.'));
await measureOurs();
await measureBare();

async function measureOurs(): Promise<void> {
  const server = await startBuilt({ root: resolve('.') });
  try {
    const admin = administrator(server);
    const body = { metadata: { name: 'one' }, spec: { title: 'One', description: 'x'.repeat(600) } };
    await admin.send({ method: 'POST', path: FOLDERS, type: 'application/json', body });
    admin.close();
    await measure('server', server.child, server.https.origin, `Bearer ${server.token}`);
  } finally {
    await server.stop();
  }
}

async function measureBare(): Promise<void> {
  const script = fileURLToPath(new URL('bare-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import=tsx/esm', script, CERTIFICATES], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [base] = await once(child.stdout, 'data');
    await measure('bare', child, String(base).trim(), 'Bearer none');
  } finally {
    child.kill();
  }
}

async function measure(name: string, { pid = 0 }: ChildProcess, base: string, authorization: string): Promise<void> {
  // Both servers are on loopback.
  const session = connect(base, { rejectUnauthorized: false });
  for (let i = 0; i < WARM_UP; i++) await get(session, authorization);
  for (const pause of PAUSES) {
    const before = cpuMs(pid);
    for (let i = 0; i < Number(values.gets); i++) {
      await get(session, authorization);
      if (pause > 0) await sleep(pause);
    }
    const each = (cpuMs(pid) - before) / Number(values.gets);
    process.stdout.write(`${name}, a get after ${pause} ms: ${each.toFixed(3)}\n`);
  }
  session.close();
}

async function get(session: ClientHttp2Session, authorization: string): Promise<void> {
  const stream = session.request({ ':path': `${FOLDERS}/one`, authorization });
  stream.resume();
  await once(stream, 'end');
}

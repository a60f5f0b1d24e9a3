/**
 * The limits that Node sets: the cost of a server that always answers with the same bytes, over TLS and HTTP/2 (bare-server.ts), from the load
 * generator of compare.ts. Writes go to the embedded store alone, with all bytes, rows and versions that our server writes (bare-store.ts), in one
 * durable commit for all that wait.
 *   npx tsx hack/bench/bare.ts [--seconds 6]
 * Prints the CPU-ms of an answer. A server on Node cannot take less, whatever else it does or leaves out. Needs Go, and openssl, for the load
 * generator and the certificates.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { APILOAD, CERTIFICATES, preparePeer } from './peer.js';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } });

/** As many bytes and clients as in compare.ts, with 10,000 objects of 1 KB. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  get: ['-op', 'get', '-c', '16'],
  'list, page of 500': ['-op', 'list', '-c', '4', '-query', 'bytes=490000'],
  'list, whole': ['-op', 'list', '-c', '2', '-query', 'bytes=9800000'],
  'update (get + put)': ['-op', 'update', '-c', '16'],
  'create, 16 clients': ['-op', 'create', '-c', '16', '-n', '200000', '-prefix', 'a'],
  'create, 1 client': ['-op', 'create', '-c', '1', '-n', '200000', '-prefix', 'b'],
  'create, 64 clients': ['-op', 'create', '-c', '64', '-n', '200000', '-prefix', 'c'],
};

await preparePeer();
const script = fileURLToPath(new URL('bare-server.ts', import.meta.url));
const server = spawn(process.execPath, ['--import=tsx/esm', script, CERTIFICATES], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [base] = await once(server.stdout, 'data');
  // Creates have no warm-up of their own.
  await load(String(base), ['-op', 'create', '-c', '16', '-n', '10000', '-d', '60s']);
  for (const [name, args] of Object.entries(OPERATIONS)) {
    const took = await load(String(base), ['-d', `${values.seconds}s`, ...args]);
    process.stdout.write(`${name.padEnd(20)} ${took.toFixed(3)} CPU-ms\n`);
  }
} finally {
  server.kill();
}

/** Returns the CPU-ms of an answer. */
async function load(base: string, args: readonly string[]): Promise<number> {
  const where = ['-base', base.trim(), '-cacert', join(CERTIFICATES, 'ca.crt'), '-pids', `server=${server.pid}`];
  const { stdout } = await promisify(execFile)(APILOAD, [...where, ...args]);
  const { count, errors, first_error, procs } = JSON.parse(stdout);
  if (errors > 0) throw new Error(`${args.join(' ')}: ${errors} errors, the first: ${first_error}`);
  return procs.server.cpu_ms / count;
}

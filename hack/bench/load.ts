/**
 * Sends one request of fixtures.ts again and again from several clients. Each client waits for the response before it
 * sends the next. Prints as JSON how many were answered, and the CPU time of the server and its database. operations.ts
 * starts it.
 */
import { clientOf, type Headers } from './client.js';
import { cpuMs } from './cpu.js';
import { REQUESTS } from './fixtures.js';

export interface Load {
  readonly url: string;
  readonly headers: Headers;
  /** A name of `REQUESTS`. */
  readonly request: string;
  /** The number of the first request. It increases with each request. */
  readonly number: number;
  readonly clients: number;
  readonly warmUp: number;
  readonly seconds: number;
  readonly pids: readonly number[];
}

export interface Loaded {
  readonly count: number;
  /** By process, in milliseconds. */
  readonly cpu: readonly number[];
}

const load: Load = JSON.parse(process.argv[2] ?? '');
const call = REQUESTS[load.request];
if (call === undefined) throw new Error(`there is no request ${load.request}`);
const client = clientOf(new URL(load.url), load.headers);
let sent = load.number;

await sendFor(load.warmUp);
const before = { sent, cpu: load.pids.map(cpuMs) };
await sendFor(load.seconds);
const cpu = load.pids.map((pid, i) => cpuMs(pid) - (before.cpu[i] ?? 0));
const loaded: Loaded = { count: sent - before.sent, cpu };
process.stdout.write(JSON.stringify(loaded));
client.close();

async function sendFor(seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const one = async (): Promise<void> => {
    while (performance.now() < end && call !== undefined) await client.send(call(sent++));
  };
  await Promise.all(Array.from({ length: load.clients }, one));
}

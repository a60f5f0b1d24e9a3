import type { BenchServer } from './server.js';

/**
 * Runs in the server: sends the longest step of the event loop since the last question, by the clock, without the time
 * of others, and in CPU time of its thread. The timer runs once in each turn of the loop. On a machine that others use,
 * only the CPU time is comparable.
 */
const MONITOR = `
import { openSync, readSync } from 'node:fs';
const file = openSync('/proc/self/task/' + process.pid + '/schedstat');
const bytes = Buffer.alloc(64);
const spent = () => bytes.latin1Slice(0, readSync(file, bytes, 0, 64, 0)).split(' ').map((ns) => ns / 1e6);
let [clock, [thread, queued], longest, gap, own] = [performance.now(), spent(), 0, 0, 0];
setInterval(() => {
  const [now, [cpu, waited]] = [performance.now(), spent()];
  longest = Math.max(longest, cpu - thread);
  gap = Math.max(gap, now - clock - 1);
  own = Math.max(own, now - clock - 1 - (waited - queued));
  [clock, thread, queued] = [now, cpu, waited];
}, 1).unref();
let before = process.cpuUsage();
process.on('message', () => {
  const { user, system } = process.cpuUsage(before);
  process.send({ longest, gap, own, cpu: (user + system) / 1e3, rss: process.memoryUsage.rss() });
  before = process.cpuUsage();
  [longest, gap, own] = [0, 0, 0];
});
process.channel.unref();
`;

/** Arguments of Node for a server that `loopOf` can ask. */
export const MONITORED = ['--import', `data:text/javascript,${encodeURIComponent(MONITOR)}`] as const;

/** What the server did since the last question. */
export interface LoopReport {
  /** Milliseconds of CPU time in the longest step. */
  readonly longest: number;
  /** Milliseconds: the longest time in which the event loop was not free. */
  readonly gap: number;
  /**
   * The same without the time in which others had the processor. It is what the server does and what it waits for, such
   * as the disk.
   */
  readonly own: number;
  /** Milliseconds of CPU time. */
  readonly cpu: number;
  readonly rss: number;
}

/** Waits a little first, so that the monitor has run again. */
export async function loopOf({ child }: BenchServer): Promise<LoopReport> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send('?');
  });
}

import type { Client } from './client.js';
import { cpuMs } from './cpu.js';

/** Milliseconds of a request, and the processor time that the server took for it. */
export interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly cpu: number;
  /** The mean length of an answer. */
  readonly bytes: number;
}

/** Sends `rounds` requests, each after the answer to the one before. */
export async function latencyOf(
  client: Client,
  pid: number,
  rounds: number,
  path: (i: number) => string,
): Promise<Latency> {
  const taken: number[] = [];
  let length = 0;
  const cpu = cpuMs(pid);
  for (let i = 0; i < rounds; i++) {
    const began = performance.now();
    const { text } = await client.send({ method: 'GET', path: path(i) });
    taken.push(performance.now() - began);
    length += text.length;
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => rounded(taken[Math.floor(share * (taken.length - 1))] ?? 0);
  const each = (sum: number): number => sum / taken.length;
  return {
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    cpu: rounded(each(cpuMs(pid) - cpu)),
    bytes: Math.round(each(length)),
  };
}

export function rounded(value: number): number {
  return Number(value.toFixed(2));
}

import { readFileSync } from 'node:fs';

/**
 * In MiB. `rss` includes the pages of the embedded store that are mapped, which the system takes back when it needs
 * memory.
 */
export interface Memory {
  readonly rss: number;
  readonly anonymous: number;
  /** The most that was ever resident. */
  readonly peak: number;
}

export function memoryOf(pid: number | undefined): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { rss: of('VmRSS'), anonymous: of('RssAnon'), peak: of('VmHWM') };
}

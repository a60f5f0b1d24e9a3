import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { makeWritableFolder } from '../../pkg/system/files/writable-folder.js';

/** Files may show names of objects, so only their owner may read them. */
const PRIVATE = { mode: 0o600 };

/**
 * Profiles the program from now on. The result ends the profile and writes two files into `folder`: a CPU profile for
 * the developer tools of browsers, and a summary of the memory. It resolves with their paths. Rejects with a sentence
 * for the operator.
 */
export async function startProfile(folder: string): Promise<() => Promise<readonly string[]>> {
  // Checked at the start, because the profile of a long run would be lost at its end.
  makeWritableFolder(folder, '--profile');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    const stamp = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}`;
    const cpu = join(folder, `cpu-${stamp}.cpuprofile`);
    const heap = join(folder, `heap-${stamp}.json`);
    await writeFile(cpu, JSON.stringify(profile), PRIVATE);
    await writeFile(heap, `${JSON.stringify(heapSummary(), undefined, 2)}\n`, PRIVATE);
    return [cpu, heap];
  };
}

/** All sizes are bytes. */
function heapSummary() {
  return { memory: process.memoryUsage(), heap: getHeapStatistics(), spaces: getHeapSpaceStatistics() };
}

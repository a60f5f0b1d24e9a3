import { setFlagsFromString } from 'node:v8';

/**
 * Settings of V8 for a server (docs/adr/0042). V8 notices that objects of requests which wait for a commit survive, and then makes all objects from
 * the same places of the code in the old generation, also those of reads, which are garbage at once. It never goes back to the young generation.
 */
export function tuneCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

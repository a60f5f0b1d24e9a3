import { setFlagsFromString } from 'node:v8';

/**
 * The one setting of V8 (docs/adr/0042). V8 notices that objects of requests which wait for a commit survive, and then makes all objects from the same places
 * of the code in the old generation, also those of reads, which are garbage at once. It never goes back to the young generation.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

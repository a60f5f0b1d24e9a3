import { setFlagsFromString } from 'node:v8';

/**
 * The only setting of V8 (docs/adr/0041). Objects of requests that wait for a commit survive. V8 notices this, and then
 * makes all objects from the same places of the code in the old generation, and never goes back. This includes objects
 * of reads, which are garbage at once.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

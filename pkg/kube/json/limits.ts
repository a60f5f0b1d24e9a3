import type { DecodeLimits } from './members.js';

/** Objects of Kubernetes are nested some forty levels deep. More would overflow the stack of recursive code. */
const DEPTH = 100;

/**
 * Definitions of custom resources have the most values for their length: one in 15 bytes. Dashboards have one in 20 to
 * 40. A document of numbers has one in two bytes, and would take forty times its length in memory.
 */
const BYTES_PER_VALUE = 15;

/**
 * So many values are decoded in some tens of milliseconds, however short they are. The longest JSON patch has 40,001.
 */
const LEAST = 45_000;

/**
 * What a document may be that is in a body of at most so many bytes. All limits on the number of values follow from
 * this.
 */
export function limitsOf(bytes: number): DecodeLimits {
  return { depth: DEPTH, values: Math.max(LEAST, Math.floor(bytes / BYTES_PER_VALUE)) };
}

/** For documents that are in no body, such as texts in an object. */
export const DEFAULT_LIMITS: DecodeLimits = limitsOf(0);

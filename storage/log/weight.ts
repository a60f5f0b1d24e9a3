import type { Change } from '../backend.js';

/** What a change weighs at least: a deletion and a small object take work, room and memory, too. */
export const LEAST_WEIGHT = 512;

/** About how many bytes the values of these changes have. It bounds what is carried into the objects at once. */
export function weightOf(changes: readonly Change[]): number {
  return changes.reduce((sum, { value, previous }) => sum + heavier(value?.byteLength, previous?.value.byteLength), 0);
}

function heavier(bytes = 0, previous = 0): number {
  return Math.max(LEAST_WEIGHT, bytes + previous);
}

/** The hash of a key behind its first `skipped` units (FNV-1a with a last mixing step, 32 bits). */
export function hashOf(key: string, skipped: number): number {
  let hash = 0x811c9dc5;
  for (let i = skipped; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/**
 * A slot of a hash table has the number of an object plus one in its lower bits, and a part of the hash in the others.
 * 0 is an empty slot.
 */
export const OBJECT_BITS = 24;
export const OBJECT_MASK = (1 << OBJECT_BITS) - 1;
/** The most objects of a table. */
export const MOST_OBJECTS = OBJECT_MASK - 1;

/** The number of slots for a number of objects: a power of two, of which at most two thirds are used. */
export function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(4, count * 1.5)));
}

/** A part of the hash that does not choose the slot. */
export function tagOf(hash: number): number {
  return (hash >>> OBJECT_BITS) << OBJECT_BITS;
}

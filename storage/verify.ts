import { createHash } from 'node:crypto';
import type { IndexRow } from './backend.js';
import { countedOf } from './counted.js';
import { StorageError } from './errors.js';
import { compareKeys } from './fill.js';
import type { Held } from './snapshot.js';

export interface Compared {
  readonly objects: number;
  /** Over keys, revisions, bytes and index rows of all objects. */
  readonly sha256: string;
}

/** Reads both to the end and compares each object. Throws `refused`, and names some of those that differ. */
export async function verifySame(
  wanted: AsyncIterable<readonly Held[]>,
  found: AsyncIterable<readonly Held[]>,
  progress: (done: number) => void,
): Promise<Compared> {
  const hash = createHash('sha256');
  const differing: string[] = [];
  const others = each(found);
  let other = await others.next();
  let objects = 0;
  for await (const chunk of wanted) {
    for (const held of chunk) {
      for (; other.done !== true && compareKeys(other.value.key, held.key) < 0; other = await others.next())
        differing.push(other.value.key);
      const isThere = other.done !== true && other.value.key === held.key;
      if (!isThere || !isSame(held, other.value as Held)) differing.push(held.key);
      if (isThere) other = await others.next();
      hash.update(`${held.key} ${held.revision} ${rowsOf(held.rows)}\n`).update(held.value);
      objects++;
    }
    if (differing.length > MANY) break;
    progress(objects);
  }
  for (; other.done !== true && differing.length <= MANY; other = await others.next()) differing.push(other.value.key);
  if (differing.length === 0) return { objects, sha256: hash.digest('hex') };
  throw new StorageError(
    'refused',
    `The copy differs from what was copied, for example in ${differing.slice(0, 3).join(', ')}. It cannot be used. Copy again with --force.`,
  );
}

const MANY = 100;

async function* each(chunks: AsyncIterable<readonly Held[]>): AsyncGenerator<Held, void, undefined> {
  for await (const chunk of chunks) yield* chunk;
}

function isSame(a: Held, b: Held): boolean {
  return a.revision === b.revision && Buffer.compare(a.value, b.value) === 0 && rowsOf(a.rows) === rowsOf(b.rows);
}

/** Rows are a set, and stores keep together what they are counted under. */
function rowsOf(rows: readonly IndexRow[]): string {
  if (rows.length === 0) return '';
  const own = [...new Set(rows.map(({ index, tuple }) => `${index} ${tuple}`))].sort();
  return [...own, ...[...countedOf(rows)].sort()].join('\n');
}

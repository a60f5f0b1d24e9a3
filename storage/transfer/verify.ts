import { createHash } from 'node:crypto';
import type { Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import { compareKeys } from '../key.js';

interface Compared {
  readonly objects: number;
  /** Over keys, revisions and bytes of all objects. */
  readonly sha256: string;
}

/** Reads both to the end and compares each object. Throws `refused`, and names some of those that differ. */
export async function verifySame(
  expected: AsyncIterable<readonly Stored[]>,
  actual: AsyncIterable<readonly Stored[]>,
  progress: (done: number) => void,
): Promise<Compared> {
  const hash = createHash('sha256');
  const differing: string[] = [];
  const others = each(actual);
  let other = await others.next();
  let objects = 0;
  for await (const chunk of expected) {
    for (const object of chunk) {
      for (; other.done !== true && compareKeys(other.value.key, object.key) < 0; other = await others.next())
        differing.push(other.value.key);
      const isThere = other.done !== true && other.value.key === object.key;
      if (!isThere || !isSame(object, other.value as Stored)) differing.push(object.key);
      if (isThere) other = await others.next();
      hash.update(`${object.key} ${object.revision}\n`).update(object.value);
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

async function* each(chunks: AsyncIterable<readonly Stored[]>): AsyncGenerator<Stored, void, undefined> {
  for await (const chunk of chunks) yield* chunk;
}

function isSame(a: Stored, b: Stored): boolean {
  return a.revision === b.revision && Buffer.compare(a.value, b.value) === 0;
}

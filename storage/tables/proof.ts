import { createHash } from 'node:crypto';
import type { Backend, Bytes, Revision } from '../backend.js';
import { isStorageError } from '../errors.js';
import { resourceOf } from '../key.js';
import type { Entry } from '../state/entry.js';
import type { Position } from './checkpoint.js';
import type { Proof } from './manifest.js';

/** Whether a resource may be in a file. A hash of another resource could confirm a guess at a secret. */
type Keeps = (resource: string) => boolean;

/** Makes a proof that a store has the change of a revision. `object` is an object that the store has at that revision. */
export async function proofOf(
  backend: Backend,
  revision: Revision,
  object: Entry | undefined,
  keeps: Keeps,
): Promise<Proof> {
  const proved = object && { key: object.key, hash: hashOf(object.value) };
  return { change: await changeAt(backend, revision, keeps), object: proved };
}

/** Whether the tables belong to this store, and its log has all changes since. */
export async function isSameStore(
  backend: Backend,
  { revision, newest, proof }: Position,
  keeps: Keeps,
): Promise<boolean> {
  // Empty tables belong to every store whose log begins there.
  if (newest === 0) return true;
  const end = await backend.end();
  if (end < newest) return false;
  const change = await changeAt(backend, newest, keeps);
  if (change !== undefined) return change === proof.change;
  if (end > revision || proof.object === undefined) return false;
  const { key, hash } = proof.object;
  const stored = (await backend.get([key])).get(key);
  return stored !== undefined && hashOf(stored.value) === hash;
}

/** Identifies the change with a revision: its commit is not repeated by chance. `undefined` if the log does not have it any more. */
async function changeAt(backend: Backend, revision: Revision, keeps: Keeps): Promise<string | undefined> {
  if (revision === 0) return undefined;
  const stop = new AbortController();
  try {
    for await (const { changes } of backend.tail(revision - 1, stop.signal)) {
      const change = changes.find((one) => one.revision === revision);
      if (change === undefined) return undefined;
      const { key, value = NOTHING } = change;
      return keeps(resourceOf(key)) ? hashOf(value, key) : hashOf(NOTHING, `${key} ${revision}`);
    }
    return undefined;
  } catch (error) {
    if (isStorageError(error, 'compacted')) return undefined;
    throw error;
  } finally {
    stop.abort();
  }
}

const NOTHING = Buffer.alloc(0);

function hashOf(value: Bytes, key = ''): string {
  return createHash('sha256').update(`${key}\0`).update(value).digest('hex');
}

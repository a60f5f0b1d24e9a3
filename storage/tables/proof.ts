import { createHash } from 'node:crypto';
import type { Backend, Bytes, Revision } from '../backend.js';
import type { Entry } from '../entry.js';
import { isStorageError } from '../errors.js';
import type { Position } from './folder.js';
import type { Proof } from './manifest.js';

/** What proves later that a store is the one with these changes. `newest` is the newest object, if it is known. */
export async function proofOf(backend: Backend, revision: Revision, newest: Entry | undefined): Promise<Proof> {
  const object = newest && { key: newest.key, hash: hashOf(newest.value) };
  return { change: await changeAt(backend, revision), object };
}

/** Whether the tables belong to this store, and its log has all changes since. */
export async function isSameStore(backend: Backend, { revision, proof }: Position): Promise<boolean> {
  const end = await backend.end();
  if (end < revision) return false;
  const change = await changeAt(backend, revision);
  if (change !== undefined) return change === proof.change;
  if (end > revision || proof.object === undefined) return false;
  const { key, hash } = proof.object;
  const stored = (await backend.get([key])).get(key);
  return stored !== undefined && hashOf(stored.value) === hash;
}

/** The hash of the change with a revision. `undefined` if the log does not have it any more. */
async function changeAt(backend: Backend, revision: Revision): Promise<string | undefined> {
  if (revision === 0) return undefined;
  const stop = new AbortController();
  try {
    for await (const { changes } of backend.tail(revision - 1, stop.signal)) {
      const change = changes.find((one) => one.revision === revision);
      return change && hashOf(change.value ?? Buffer.alloc(0), change.key);
    }
    return undefined;
  } catch (error) {
    if (isStorageError(error, 'compacted')) return undefined;
    throw error;
  } finally {
    stop.abort();
  }
}

function hashOf(value: Bytes, key = ''): string {
  return createHash('sha256').update(`${key}\0`).update(value).digest('hex');
}

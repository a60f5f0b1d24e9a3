import type { Backend, Batch, Change, Commit, Put, Revision, Stored } from '../backend.js';
import { type Key, resourceOf } from '../key.js';

/** Encrypts the stored objects of some resources. `decrypted` returns the bytes that `encrypted` was called with. */
export interface Encryption {
  /**
   * Called with every change before its value is decrypted, and with a batch before it is encrypted, because the key
   * may be in it. Returns a function that undoes this.
   */
  learn(change: Pick<Change, 'key' | 'value'>): () => void;
  /** The bytes to store. The same bytes at the same key always give the same result. */
  encrypted(key: Key, value: Stored['value']): Stored['value'];
  /** Also takes bytes that cannot be decrypted, which stay as they are. */
  decrypted(key: Key, value: Stored['value']): Stored['value'];
  /** Whether the objects of this resource are encrypted. */
  applies(resource: string): boolean;
  /** The keys of the objects that the encryption must know before all others. */
  readonly needs: readonly Key[];
}

/**
 * A backend on which some resources are encrypted. Code that reads the store itself, such as backups and copies, finds
 * no clear text.
 */
export async function encryptedBackend(backend: Backend, encryption: Encryption): Promise<Backend> {
  for (const { key, value } of (await backend.get(encryption.needs)).values()) encryption.learn({ key, value });
  const overrides: Partial<Backend> = {
    append: (after, batch) => appendEncrypted(backend, encryption, after, batch),
    tail: (after, signal, known, commitId) =>
      decryptedCommits(encryption, backend.tail(after, signal, known, commitId)),
    load: (resource) => {
      const chunks = backend.load(resource);
      return encryption.applies(resource) ? decryptedChunks(encryption, chunks) : chunks;
    },
    get: async (keys) => {
      const objects = await backend.get(keys);
      return new Map([...objects].map(([key, stored]) => [key, clear(encryption, stored)]));
    },
  };
  return new Proxy(backend, {
    get: (target, name) => {
      const value: unknown = Reflect.get(overrides, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** If a batch was not stored, the key in it does not count. If it was stored after all, the log shows it. */
async function appendEncrypted(backend: Backend, encryption: Encryption, after: Revision, batch: Batch): Promise<void> {
  const undo = batch.changes.map((change) => encryption.learn(change));
  try {
    await backend.append(after, encryptedBatch(encryption, batch));
  } catch (error) {
    for (const undoOne of undo.reverse()) undoOne();
    throw error;
  }
}

function encryptedBatch(encryption: Encryption, batch: Batch): Batch {
  if (!batch.changes.some(({ key }) => encryption.applies(resourceOf(key)))) return batch;
  return { ...batch, changes: batch.changes.map((put) => encryptedPut(encryption, put)) };
}

function encryptedPut(encryption: Encryption, put: Put): Put {
  const { key, value, previous, object: _, ...rest } = put;
  if (!encryption.applies(resourceOf(key))) return put;
  return {
    ...rest,
    key,
    ...(value && { value: encryption.encrypted(key, value) }),
    ...(previous && { previous: { ...previous, value: encryption.encrypted(key, previous.value) } }),
  };
}

function clear(encryption: Encryption, stored: Stored): Stored {
  if (!encryption.applies(resourceOf(stored.key))) return stored;
  const { key, revision, value } = stored;
  return { key, revision, value: encryption.decrypted(key, value) };
}

function clearChange(encryption: Encryption, change: Change): Change {
  encryption.learn(change);
  if (!encryption.applies(resourceOf(change.key))) return change;
  const { key, value, previous } = change;
  return {
    ...change,
    ...(value && { value: encryption.decrypted(key, value) }),
    ...(previous && { previous: clear(encryption, previous) }),
  };
}

async function* decryptedCommits(
  encryption: Encryption,
  commits: AsyncIterable<Commit>,
): AsyncGenerator<Commit, void, undefined> {
  for await (const commit of commits) {
    // A new key may come after the objects that are encrypted under it.
    for (const change of commit.changes) encryption.learn(change);
    yield { ...commit, changes: commit.changes.map((change) => clearChange(encryption, change)) };
  }
}

async function* decryptedChunks(
  encryption: Encryption,
  chunks: AsyncIterable<readonly Stored[]>,
): AsyncGenerator<readonly Stored[], void, undefined> {
  for await (const chunk of chunks) yield chunk.map((stored) => clear(encryption, stored));
}

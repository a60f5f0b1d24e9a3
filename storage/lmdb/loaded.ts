import type { Database, RootDatabase } from 'lmdb';
import type { Bytes, Revision, Stored } from '../backend.js';
import type { Key } from '../key.js';
import { asBuffer } from '../state/codec.js';
import { LARGEST_PACKED } from '../state/entry.js';

/** A text if the value is small and all its bytes are ASCII. */
export type LoadedValue = Bytes | string;

/**
 * The table of objects, as a load reads it. lmdb-js copies each value into one buffer, and texts are made of that at
 * once. Without this, it gives keys and values buffers of their own, which cost more than reading the values.
 */
export function openLoaded(root: RootDatabase<Bytes, Bytes>): Database<LoadedValue, string> {
  const options = { encoding: 'binary', useVersions: true, encoder: VALUES, keyEncoder: KEYS };
  return root.openDB<LoadedValue, string>('objects', options as Parameters<typeof root.openDB>[1]);
}

const VALUES = {
  encode: (): never => {
    throw new Error('objects are not written through this table');
  },
  /** The bytes are those of the next value after the call. */
  decode: (bytes: Bytes, size: number): LoadedValue => {
    const buffer = asBuffer(bytes);
    if (size <= LARGEST_PACKED) {
      const text = buffer.toString('utf8', 0, size);
      // All other characters take several bytes.
      if (text.length === size) return text;
    }
    return Uint8Array.prototype.slice.call(buffer, 0, size);
  },
};

const KEYS = {
  writeKey: (key: string, target: Bytes, at: number): number => at + asBuffer(target).write(key, at),
  readKey: (target: Bytes, start: number, end: number): string => asBuffer(target).toString('utf8', start, end),
};

export function storedOf(key: Key, revision: Revision, value: LoadedValue): Stored {
  return typeof value === 'string' ? new StoredText(key, revision, value) : { key, revision, value };
}

class StoredText implements Stored {
  readonly key: Key;
  readonly revision: Revision;
  readonly text: string;

  constructor(key: Key, revision: Revision, text: string) {
    this.key = key;
    this.revision = revision;
    this.text = text;
  }

  /** A buffer with its own memory: a slice of Node's pool would keep the whole pool alive. */
  get value(): Bytes {
    const bytes = Buffer.allocUnsafeSlow(this.text.length);
    bytes.write(this.text, 'latin1');
    return bytes;
  }
}

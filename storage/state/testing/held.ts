import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { keyOf } from '../../key.js';
import { encodeText } from '../codec.js';
import { type Entry, MemoryEntry } from '../entry.js';
import { encodeTuple } from '../tuple.js';

export const RESOURCE = 'folders.folder.svc.app';

/** An object that others own. */
export interface Held {
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly string[];
}

export function entryOf({ namespace, name, owners }: Held, revision: number): Entry {
  const key = keyOf(RESOURCE, namespace, name);
  const rows = owners.map((owner) => ({ index: 'owner', tuple: encodeTuple([owner]) }));
  const value = encodeText(canonicalJson({ metadata: { name } }), revision);
  return new MemoryEntry(key, revision, value, { labels: undefined, fields: undefined }, rows);
}

import type { KubeObject } from '../pkg/meta/types.js';
import { decodeObject } from '../storage/codec.js';
import { keyOf } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import type { View } from '../storage/transaction.js';
import { encodeTuple } from '../storage/tuple.js';
import type { ObjectView } from './strategy.js';

export function objectOfEntry(entry: Entry): KubeObject {
  return decodeObject(entry.value) as KubeObject;
}

/** The engine's view with objects in place of bytes. */
export function objectView(view: View): ObjectView {
  return {
    get: (resource, namespace, name) => {
      const entry = view.get(keyOf(resource, namespace, name));
      return entry === undefined ? undefined : objectOfEntry(entry);
    },
    range: (resource, index, prefix, limit) =>
      view.range(resource, index, encodeTuple(prefix), limit).map(objectOfEntry),
  };
}

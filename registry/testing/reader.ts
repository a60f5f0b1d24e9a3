import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { keyOf } from '../../storage/key.js';
import { encodeText } from '../../storage/state/codec.js';
import { entryOf } from '../../storage/state/entry.js';
import { State } from '../../storage/state/state.js';
import type { Kind } from '../kinds/kind.js';
import { resourceDefinition } from '../kinds/registry.js';
import { Reader } from '../read/reader.js';

/** A state with these objects. */
export function readerOf(objects: readonly (readonly [Kind, KubeObject])[]): Reader {
  const draft = new State(0).draft();
  objects.forEach(([kind, object], i) => {
    const { name, namespace = '' } = object.metadata;
    const key = keyOf(kind.qualified, namespace, name);
    const value = encodeText(canonicalJson(object), i + 1);
    draft.put(kind.qualified, entryOf(resourceDefinition(kind), key, i + 1, value));
  });
  return new Reader(draft.finish(objects.length, new Map()));
}

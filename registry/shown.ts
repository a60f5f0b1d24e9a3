import type { KubeObject } from '../pkg/meta/types.js';
import type { Bytes } from '../storage/backend.js';
import { decodeObject } from '../storage/codec.js';
import type { Kind } from './kind.js';

/** What is kept, as the kind shows it. */
export function shownObject({ view }: Kind, value: Bytes): KubeObject {
  const object = decodeObject(value) as KubeObject;
  return view === undefined ? object : view.show(object);
}

/** The same as bytes; those that are kept where the kind shows them as they are. */
export function shownBytes(kind: Kind, value: Bytes): Bytes {
  return kind.view === undefined ? value : Buffer.from(JSON.stringify(shownObject(kind, value)));
}

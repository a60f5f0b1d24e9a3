import type { KubeObject } from '../pkg/meta/types.js';
import type { Bytes } from '../storage/backend.js';
import { decodeObject } from '../storage/codec.js';
import type { Kind } from './kind.js';

/** A stored object as an object of the kind. */
export function convertedObject({ conversion }: Kind, value: Bytes): KubeObject {
  const object = decodeObject(value) as KubeObject;
  return conversion === undefined ? object : conversion.convert(object);
}

/** The same as bytes. Returns the stored bytes if the kind has no conversion. */
export function convertedBytes(kind: Kind, value: Bytes): Bytes {
  return kind.conversion === undefined ? value : Buffer.from(JSON.stringify(convertedObject(kind, value)));
}

import type { KubeObject } from '../pkg/meta/types.js';
import type { Bytes } from '../storage/backend.js';
import { decodeObject } from '../storage/codec.js';
import type { Kind } from './kind.js';
import type { Registry } from './registry.js';

/** A stored object as an object of the kind. */
export function convertedObject(kind: Kind, value: Bytes): KubeObject {
  return servedObject(kind, decodeObject(value) as KubeObject);
}

/** The same as bytes. Returns the stored bytes if the kind has no conversion. */
export function convertedBytes(kind: Kind, value: Bytes): Bytes {
  return kind.conversion === undefined ? value : Buffer.from(JSON.stringify(convertedObject(kind, value)));
}

/** The kind of the stored objects. Writes go through it. */
export function storedKind({ kinds }: Pick<Registry, 'kinds'>, kind: Kind): Kind {
  if (kind.conversion === undefined) return kind;
  return kinds.find(({ qualified, conversion }) => qualified === kind.qualified && conversion === undefined) ?? kind;
}

/** An object of the kind as the object to store. */
export function storedObject({ conversion }: Kind, object: KubeObject): KubeObject {
  return conversion?.restore === undefined ? object : conversion.restore(object);
}

/** A stored object as the object of the kind. */
export function servedObject({ conversion }: Kind, stored: KubeObject): KubeObject {
  return conversion === undefined ? stored : conversion.convert(stored);
}

/** Whether objects can be applied as this kind. One that is only read as this kind cannot. */
export function acceptsApply({
  conversion,
}: {
  readonly conversion?: { readonly restore?: unknown } | undefined;
}): boolean {
  return conversion === undefined || conversion.restore !== undefined;
}

import type { KubeObject } from '../pkg/meta/types.js';
import type { Bytes } from '../storage/backend.js';
import { decodeObject, revisionOf } from '../storage/codec.js';
import type { Conversion, Kind } from './kind.js';
import type { Registry } from './registry.js';

/** A stored object as an object of the kind. */
export function convertedObject(kind: Kind, value: Bytes): KubeObject {
  return servedObject(kind, decodeObject(value) as KubeObject);
}

/** The same as bytes. Returns the stored bytes if the object is served as it is stored. */
export function convertedBytes(kind: Kind, value: Bytes): Bytes {
  return isServedAsStored(kind, () => revisionOf(value))
    ? value
    : Buffer.from(JSON.stringify(convertedObject(kind, value)));
}

/** Whether an object that was stored at a revision is sent as it is. */
export function isServedAsStored({ conversion, completion }: Kind, revision: () => number): boolean {
  return conversion === undefined && (completion === undefined || revision() >= completion.before);
}

/** A stored object as its kind wants it now. The same object if it was stored after its definition changed. */
export function completed({ completion }: Kind, object: KubeObject): KubeObject {
  const isOld = completion !== undefined && Number(object.metadata.resourceVersion) < completion.before;
  return isOld ? completion.complete(object) : object;
}

/** The kind of the stored objects. Writes go through it. */
export function storedKind({ kinds }: Pick<Registry, 'kinds'>, kind: Kind): Kind {
  if (kind.conversion === undefined) return kind;
  return kinds.find(({ qualified, conversion }) => qualified === kind.qualified && conversion === undefined) ?? kind;
}

/** An object of the kind as the object to store. `old` is the stored object that it replaces: what the kind has no words for is kept. */
export function storedObject({ conversion }: Kind, object: KubeObject, old?: KubeObject): KubeObject {
  if (conversion?.restore === undefined) return object;
  const restored = conversion.restore(object);
  return old === undefined ? restored : { ...restored, ...keptOf(conversion, old) };
}

function keptOf({ unsaid }: Conversion, old: KubeObject): Partial<KubeObject> {
  return Object.fromEntries(membersUnsaid(unsaid).flatMap((name) => entryOf(old, name)));
}

function entryOf(object: KubeObject, name: string): readonly (readonly [string, unknown])[] {
  const value = (object as unknown as Readonly<Record<string, unknown>>)[name];
  return value === undefined ? [] : [[name, value]];
}

/** The names of the members of stored objects that a kind has no words for. */
export function membersUnsaid(unsaid: Conversion['unsaid']): readonly string[] {
  return unsaid === undefined ? [] : Object.keys(unsaid(''));
}

/** A stored object as the object of the kind. */
export function servedObject(kind: Kind, stored: KubeObject): KubeObject {
  const object = completed(kind, stored);
  return kind.conversion === undefined ? object : kind.conversion.convert(object);
}

/** Whether objects can be applied as this kind. One that is only read as this kind cannot. */
export function acceptsApply({
  conversion,
}: {
  readonly conversion?: { readonly restore?: unknown } | undefined;
}): boolean {
  return conversion === undefined || conversion.restore !== undefined;
}

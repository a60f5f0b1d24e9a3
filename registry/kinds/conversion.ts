import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import type { Bytes } from '../../storage/backend.js';
import { asBuffer, decodeObject, revisionOf, textOfObject } from '../../storage/state/codec.js';
import type { Entry } from '../../storage/state/entry.js';
import type { Conversion, Kind } from './kind.js';
import type { Registry } from './registry.js';

/** A stored object as an object of the kind. */
export function convertedObject(kind: Kind, value: Bytes): KubeObject {
  return servedObject(kind, decodeObject(value) as KubeObject);
}

/** The same as bytes. Returns the stored bytes if the object is served as it is stored. */
export function convertedBytes(kind: Kind, value: Bytes): Bytes {
  if (isServedAsStored(kind, { value, revision: () => revisionOf(value) })) return value;
  return Buffer.from(textOfObject(convertedObject(kind, value), JSON.stringify));
}

/** The bytes of a stored object, and the revision at which it was stored. */
export interface StoredBytes extends Pick<Entry, 'value'>, Partial<Pick<Entry, 'text'>> {
  readonly revision: number | (() => number);
}

/**
 * Whether a stored object is sent as it is. Most kinds decide without its bytes, because an entry makes them anew each
 * time.
 */
export function isServedAsStored(kind: Kind, stored: StoredBytes): boolean {
  const { conversion, completion } = kind;
  if (conversion !== undefined) return false;
  if (completion === undefined) return true;
  const { revision } = stored;
  const at = typeof revision === 'number' ? revision : revision();
  return at >= completion.before && hasVersion(kind, stored.text ?? stored.value);
}

/**
 * Whether stored bytes begin with the version of the kind: its members are in the order of their names. Something else
 * may come first, so `false` is no answer.
 */
function hasVersion({ apiVersion }: Kind, bytes: Bytes | string): boolean {
  const start = `{"apiVersion":"${apiVersion}"`;
  if (typeof bytes === 'string') return bytes.startsWith(start);
  return asBuffer(bytes).toString('latin1', 0, start.length) === start;
}

/**
 * A stored object as its kind wants it now. The same object if it was stored after its definition changed. Throws Retry
 * if this takes time.
 */
export function completed(kind: Kind, object: KubeObject): KubeObject {
  const { completion } = kind;
  if (completion === undefined) return object;
  return Number(object.metadata.resourceVersion) < completion.before
    ? completion.complete(object)
    : inForm(kind, object);
}

/** An object in the version of the kind. The same object if it has this version. Throws Retry if this takes time. */
function inForm({ completion, apiVersion }: Kind, object: KubeObject): KubeObject {
  return completion === undefined || object.apiVersion === apiVersion ? object : completion.complete(object);
}

/** The kind of the stored objects. Writes go through it. */
export function storedKind({ kinds }: Pick<Registry, 'kinds'>, kind: Kind): Kind {
  if (kind.conversion === undefined) return kind;
  return kinds.find(({ qualified, conversion }) => qualified === kind.qualified && conversion === undefined) ?? kind;
}

/**
 * An object of the kind as the object to store. `old` is the stored object that it replaces. Its members that the kind
 * does not have are kept.
 */
export function storedObject({ conversion }: Kind, object: KubeObject, old?: KubeObject): KubeObject {
  if (conversion?.restore === undefined) return object;
  const restored = conversion.restore(object);
  return old === undefined ? restored : { ...restored, ...keptOf(conversion, old) };
}

function keptOf({ hiddenDefaults }: Conversion, old: KubeObject): Partial<KubeObject> {
  return Object.fromEntries(hiddenMembers(hiddenDefaults).flatMap((name) => entryOf(old, name)));
}

function entryOf(object: KubeObject, name: string): readonly (readonly [string, unknown])[] {
  const value = (object as unknown as Readonly<Record<string, unknown>>)[name];
  return value === undefined ? [] : [[name, value]];
}

/** The names of the members of stored objects that a kind does not have. */
export function hiddenMembers(hiddenDefaults: Conversion['hiddenDefaults']): readonly string[] {
  return hiddenDefaults === undefined ? [] : Object.keys(hiddenDefaults(''));
}

/** A stored object as the object of the kind. */
export function servedObject(kind: Kind, stored: KubeObject): KubeObject {
  const object = completed(kind, stored);
  return kind.conversion === undefined ? object : kind.conversion.convert(object);
}

/** The same in steps, for an object that may be large. */
export function* servedSteps(kind: Kind, stored: KubeObject): Steps<KubeObject> {
  const { conversion, completion } = kind;
  const isComplete = completion?.steps === undefined || !lacks(kind, stored);
  const object = isComplete ? completed(kind, stored) : yield* completion.steps(stored);
  if (conversion?.steps !== undefined) return yield* conversion.steps(object);
  return conversion === undefined ? object : conversion.convert(object);
}

/** Whether a stored object was stored before its definition changed, or in another version. */
function lacks({ completion, apiVersion }: Kind, { metadata, apiVersion: own }: KubeObject): boolean {
  return completion !== undefined && (Number(metadata.resourceVersion) < completion.before || own !== apiVersion);
}

/** The same as `storedObject` without `old`, in steps. */
export function* storedSteps(kind: Kind, object: KubeObject): Steps<KubeObject> {
  const { conversion } = kind;
  return conversion?.restoreSteps === undefined ? storedObject(kind, object) : yield* conversion.restoreSteps(object);
}

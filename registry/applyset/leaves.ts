import { createHash } from 'node:crypto';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import { isObject } from '../../pkg/system/object/is-object.js';
import { own } from '../../pkg/system/object/own.js';
import { pathText } from './plan.js';

/**
 * Digests of values by member, down to `DEEPEST` levels. A list or a value of another type is one digest. A set of
 * items is one for each item.
 */
export interface LeafDigests {
  readonly [member: string]: LeafDigests | string | readonly string[];
}

/** Below this level, a value is compared as a whole. */
const DEEPEST = 4;
/** Lists that several managers share by items. Only the items that the set applied count. */
const SHARED: ReadonlySet<string> = new Set(['metadata.finalizers', 'metadata.ownerReferences']);

/** Fields that the server sets, and fields that only identify the object. */
const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace']);

/** In place of a digest: the object does not have the field. */
const ABSENT = '';

/**
 * The fields of a configuration, with digests of the values that the object has there. Values that are not stored, such
 * as passwords, are left out. `places` are the annotations whose absence is a part of the configuration, too.
 */
export function leavesOf(config: unknown, object: unknown, places: readonly string[] = []): LeafDigests {
  const leaves = (walk([], config, object) ?? {}) as LeafDigests;
  const metadataOf = isObject(object) ? own(object, 'metadata') : undefined;
  const stored = isObject(metadataOf) ? own(metadataOf, 'annotations') : undefined;
  const absent = places.filter((key) => !isObject(stored) || own(stored, key) === undefined);
  if (absent.length === 0) return leaves;
  const { annotations: named, ...metadata } = (leaves['metadata'] ?? {}) as LeafDigests;
  // An empty map of the configuration is no statement about the annotations that the server sets.
  const others = isObject(named) ? (named as LeafDigests) : {};
  const annotations = { ...others, ...Object.fromEntries(absent.map((key) => [key, ABSENT])) };
  return { ...leaves, metadata: { ...metadata, annotations } };
}

function walk(
  path: readonly string[],
  config: unknown,
  object: unknown,
): LeafDigests | string | readonly string[] | undefined {
  if (IDENTITY.has(path.join('.')) || object === undefined) return undefined;
  if (!isObject(config) || !isObject(object) || path.length >= DEEPEST || Object.keys(config).length === 0)
    return digestAt(path, object);
  const members = Object.keys(config).flatMap((name) => {
    const below = walk([...path, name], config[name], own(object, name));
    return below === undefined ? [] : [[name, below] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The paths of the fields in which an object is not as it was. */
export function driftedFields(leaves: LeafDigests, object: unknown): readonly string[] {
  const paths: string[] = [];
  compare([], leaves, object, paths);
  return paths;
}

function compare(path: readonly string[], leaf: LeafDigests[string], object: unknown, found: string[]): void {
  if (leaf === ABSENT) {
    if (object !== undefined) found.push(pathText(path));
  } else if (typeof leaf === 'string') {
    if (object === undefined || digest(object) !== leaf) found.push(pathText(path));
  } else if (Array.isArray(leaf)) {
    const items = new Set(Array.isArray(object) ? object.map(digest) : []);
    if (!leaf.every((item) => items.has(item))) found.push(pathText(path));
  } else if (!isObject(object)) {
    if (object !== undefined || !isAbsence(leaf)) found.push(pathText(path));
  } else
    for (const [name, below] of Object.entries(leaf))
      compare([...path, name], below as LeafDigests[string], own(object, name), found);
}

/** Whether all that is remembered is that fields are not there. */
function isAbsence(leaf: LeafDigests[string]): boolean {
  if (typeof leaf === 'string') return leaf === ABSENT;
  return !Array.isArray(leaf) && Object.values(leaf).every(isAbsence);
}

function digestAt(path: readonly string[], value: unknown): string | readonly string[] {
  return SHARED.has(path.join('.')) && Array.isArray(value) ? value.map(digest) : digest(value);
}

/** 64 bits suffice, because a collision helps no attacker. */
function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 11);
}

import { isObject } from '../../system/object/is-object.js';
import { Work } from '../../system/yielding/work.js';
import { beginning } from '../status/causes.js';
import { after, atOnce, type Changed, mapItems, mapMembers } from './copy.js';
import { byBytes } from './go-text.js';
import type { Node, Structural } from './node.js';
import { memberOf, nodeOf } from './structural.js';

export interface PruneOptions {
  /** The object is one of the API itself: its apiVersion, kind and metadata are kept, also if the schema lacks them. */
  readonly isResourceRoot: boolean;
}

export interface Pruned<Type> {
  /** The same object if nothing was dropped. */
  readonly object: Type;
  /** The paths of what was dropped, sorted: `spec.list[0].name`. At most a hundred. */
  readonly unknown: readonly string[];
}

/**
 * Drops the fields that the schema does not have, as Kubernetes does
 * (apiextensions-apiserver/pkg/apiserver/schema/pruning).
 */
export function prune<Type>(structural: Structural, object: Type, options: PruneOptions): Pruned<Type> {
  return atOnce(startPrune(structural, object, options));
}

/** The same with pauses. */
export function startPrune<Type>(
  structural: Structural,
  object: Type,
  { isResourceRoot }: PruneOptions,
): Changed<Pruned<Type>> {
  const walk: Walk = { path: [], unknown: [], isResourceRoot, work: new Work() };
  const node = nodeOf(structural);
  return after(pruneValue(object, node, node.preservesUnknown, walk), (kept) => ({
    object: kept as Type,
    unknown: walk.unknown.sort(byBytes),
  }));
}

interface Walk {
  /** The parts of the path of the value that is visited. */
  readonly path: string[];
  readonly unknown: string[];
  readonly isResourceRoot: boolean;
  readonly work: Work;
}

function isMeta(name: string): boolean {
  return name === 'metadata' || name === 'kind' || name === 'apiVersion';
}

/**
 * Where unknown fields are preserved (`isOpen`), fields that the schema has are still pruned. Without a node, the
 * schema has no fields. The path of the walk is that of the value until the steps have ended.
 */
function pruneValue(value: unknown, node: Node | undefined, isOpen: boolean, walk: Walk): Changed {
  if (Array.isArray(value)) return pruneItems(value, node, isOpen, walk);
  if (!isObject(value)) return value;
  const depth = walk.path.length;
  return mapMembers(value, walk.work, (member, name) => {
    shorten(walk.path, depth);
    return pruneMember(member, name, node, isOpen, walk);
  });
}

/** Most members leave the path as it is. To set its length takes longer than to look. */
function shorten(path: string[], depth: number): void {
  if (path.length !== depth) path.length = depth;
}

/** Undefined if the member is not kept. */
function pruneMember(member: unknown, name: string, node: Node | undefined, isOpen: boolean, walk: Walk): Changed {
  const isRoot = walk.path.length === 0;
  if (isMeta(name) && (node?.isEmbedded === true || (isRoot && walk.isResourceRoot))) return member;
  const schema = node === undefined ? undefined : memberOf(node, name);
  if (schema === undefined && node?.additionalProperties === undefined) {
    if (isOpen) return member;
    if (node === undefined || !isMeta(name) || !isRoot) addUnknown(walk, name);
    return undefined;
  }
  if (typeof member !== 'object' || member === null) return member;
  if (isRoot) walk.path.push(name);
  else walk.path.push('.', name);
  const next = schema === undefined ? undefined : nodeOf(schema);
  return pruneValue(member, next, next?.preservesUnknown === true, walk);
}

/** Items of an open list are open, too. */
function pruneItems(list: readonly unknown[], node: Node | undefined, isOpen: boolean, walk: Walk): Changed {
  const items = node?.items === undefined ? undefined : nodeOf(node.items);
  const areOpen = isOpen || items?.preservesUnknown === true;
  const depth = walk.path.length;
  return mapItems(list, walk.work, (item, i) => {
    if (typeof item !== 'object' || item === null) return item;
    shorten(walk.path, depth);
    walk.path.push(`[${i}]`);
    return pruneValue(item, items, areOpen, walk);
  });
}

/** Most names of an object may be unknown, and each may be long. */
const MOST_UNKNOWN = 100;
const LONGEST_NAME = 1000;

function addUnknown({ path, unknown }: Walk, name: string): void {
  if (unknown.length >= MOST_UNKNOWN) return;
  const shown = [...path, ...(path.length === 0 ? [] : ['.']), name].map((part) => beginning(part, LONGEST_NAME));
  unknown.push(shown.join(''));
}

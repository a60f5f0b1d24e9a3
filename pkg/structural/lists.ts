import { isObject, type Members } from '../object/is-object.js';
import type { StatusCause } from '../status/status.js';
import { child, duplicate, invalid, key } from './cause.js';
import { printedJson } from './go-text.js';
import type { Node, Structural } from './node.js';
import { nodeOf } from './structural.js';

/**
 * Lists of type set have no item twice, and those of type map no keys twice. If `old` already broke the rule, nothing is reported, as in Kubernetes
 * (apiextensions-apiserver/pkg/apiserver/schema/listtype).
 */
export function validateLists(
  structural: Structural,
  object: unknown,
  old?: unknown,
  { path = '' }: { readonly path?: string } = {},
): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  visit(structural, object, path, causes);
  if (causes.length === 0 || old === undefined) return causes;
  const oldCauses: StatusCause[] = [];
  visit(structural, old, '', oldCauses);
  return oldCauses.length === 0 ? causes : [];
}

function visit(structural: Structural, value: unknown, path: string, causes: StatusCause[]): void {
  if (typeof value !== 'object' || value === null) return;
  const node = nodeOf(structural);
  if (Array.isArray(value)) visitList(node, value, path, causes);
  else if (isObject(value)) visitMembers(node, value, path, causes);
}

function visitMembers(
  { properties, additionalProperties: more }: Node,
  object: Members,
  path: string,
  causes: StatusCause[],
): void {
  if (typeof more === 'object') {
    for (const name of Object.keys(object)) visit(more, object[name], key(path, name), causes);
  }
  for (const [name, schema] of properties ?? []) {
    if (Object.hasOwn(object, name)) visit(schema, object[name], child(path, name), causes);
  }
}

function visitList(node: Node, list: readonly unknown[], path: string, causes: StatusCause[]): void {
  if (node.listType === 'set') {
    for (const i of repeated(list)) causes.push(duplicate(key(path, i), list[i]));
  } else if (node.listType === 'map') checkKeys(node.listMapKeys, list, path, causes);
  if (node.items === undefined) return;
  for (let i = 0; i < list.length; i++) visit(node.items, list[i], key(path, i), causes);
}

function checkKeys(names: readonly string[], list: readonly unknown[], path: string, causes: StatusCause[]): void {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) {
    causes.push(invalid(key(path, wrong), list[wrong], 'must be an object for an array of list-type map'));
    return;
  }
  const keys = list.map((item) => keysOf(item as Members | null, names));
  for (const i of repeated(keys)) causes.push(duplicate(key(path, i), keys[i]));
}

/** Missing keys are left out. An item that is null has none. */
function keysOf(item: Members | null, names: readonly string[]): Members {
  const given = names.filter((name) => item !== null && Object.hasOwn(item, name));
  return Object.fromEntries(given.map((name) => [name, item?.[name]]));
}

/** The indexes where a value is for the second time. A third time is not reported. */
function repeated(list: readonly unknown[]): readonly number[] {
  if (list.length < 2) return [];
  const counts = new Map<unknown, number>();
  const found: number[] = [];
  list.forEach((item, i) => {
    const id = idOf(item);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count === 2) found.push(i);
  });
  return found;
}

function idOf(item: unknown): unknown {
  if (typeof item === 'string') return `text:${item}`;
  return typeof item === 'object' && item !== null ? `json:${printedJson(item)}` : item;
}

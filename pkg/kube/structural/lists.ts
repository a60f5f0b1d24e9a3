import { isObject, type Members } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { Causes, type StatusCause } from '../status/causes.js';
import { anywhere } from './anywhere.js';
import { child, duplicate, invalid, key } from './cause.js';
import { printedJson } from './go-text.js';
import type { Node, Structural } from './node.js';
import { nodeOf } from './structural.js';

/**
 * Lists of type set have no item twice, and those of type map no keys twice. If `old` already broke the rule, nothing
 * is reported, as in Kubernetes (apiextensions-apiserver/pkg/apiserver/schema/listtype).
 */
export function validateLists(
  structural: Structural,
  object: unknown,
  old?: unknown,
  options: { readonly path?: string } = {},
): readonly StatusCause[] {
  return runSteps(listSteps(structural, object, old, options));
}

/** The same in steps, with at most as many causes as an answer has. */
export function* listSteps(
  structural: Structural,
  object: unknown,
  old?: unknown,
  { path = '' }: { readonly path?: string } = {},
): Steps<readonly StatusCause[]> {
  const search: Search = { causes: new Causes(), work: new Work() };
  yield* visit(structural, object, path, search);
  if (search.causes.isEmpty || old === undefined) return search.causes.list;
  const oldSearch: Search = { causes: new Causes(), work: new Work() };
  yield* visit(structural, old, '', oldSearch);
  return oldSearch.causes.isEmpty ? search.causes.list : [];
}

interface Search {
  readonly causes: Causes;
  readonly work: Work;
}

function* visit(structural: Structural, value: unknown, path: string, search: Search): Steps<void> {
  if (!isContainer(value) || search.causes.isCut || !hasLists(structural.schema)) return;
  const node = nodeOf(structural);
  if (Array.isArray(value)) yield* visitList(node, value, path, search);
  else if (isObject(value)) yield* visitMembers(node, value, path, search);
  search.work.add(1);
  if (search.work.isDue()) yield;
}

const hasLists = anywhere(({ 'x-kubernetes-list-type': type }) => type === 'set' || type === 'map');

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function* visitMembers(
  { properties, additionalProperties: more }: Node,
  object: Members,
  path: string,
  search: Search,
): Steps<void> {
  if (typeof more === 'object' && hasLists(more.schema)) {
    for (const name of Object.keys(object)) {
      if (isContainer(object[name])) yield* visit(more, object[name], key(path, name), search);
    }
  }
  for (const [name, schema] of properties ?? []) {
    if (Object.hasOwn(object, name) && isContainer(object[name]))
      yield* visit(schema, object[name], child(path, name), search);
  }
}

function* visitList(node: Node, list: readonly unknown[], path: string, search: Search): Steps<void> {
  const { causes, work } = search;
  if (node.listType === 'set') {
    for (const i of yield* repeated(list, work)) {
      causes.add(duplicate(key(path, i), list[i]));
      if (causes.isCut) return;
    }
  } else if (node.listType === 'map') yield* checkKeys(node.listMapKeys, list, path, search);
  if (node.items === undefined || !hasLists(node.items.schema)) return;
  for (let i = 0; i < list.length && !causes.isCut; i++) {
    if (isContainer(list[i])) yield* visit(node.items, list[i], key(path, i), search);
  }
}

function* checkKeys(
  names: readonly string[],
  list: readonly unknown[],
  path: string,
  { causes, work }: Search,
): Steps<void> {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) {
    causes.add(invalid(key(path, wrong), list[wrong], 'must be an object for an array of list-type map'));
    return;
  }
  const keys = list.map((item) => keysOf(item as Members | null, names));
  for (const i of yield* repeated(keys, work)) {
    causes.add(duplicate(key(path, i), keys[i]));
    if (causes.isCut) return;
  }
}

/** Missing keys are left out. An item that is null has none. */
function keysOf(item: Members | null, names: readonly string[]): Members {
  const given = names.filter((name) => item !== null && Object.hasOwn(item, name));
  return Object.fromEntries(given.map((name) => [name, item?.[name]]));
}

/** The indexes where a value is for the second time. A third time is not reported. */
function* repeated(list: readonly unknown[], work: Work): Steps<readonly number[]> {
  const counts = new Map<unknown, number>();
  const indexes: number[] = [];
  for (let i = 0; i < list.length && list.length > 1; i++) {
    const id = idOf(list[i]);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count === 2) indexes.push(i);
    work.add(1);
    if (work.isDue()) yield;
  }
  return indexes;
}

function idOf(item: unknown): unknown {
  if (typeof item === 'string') return `text:${item}`;
  return typeof item === 'object' && item !== null ? `json:${printedJson(item)}` : item;
}

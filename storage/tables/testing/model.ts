import { expect } from 'chai';
import { keyOf, partsOf } from '../../key.js';
import type { Entry } from '../../state/entry.js';
import type { Attributes } from '../../state/resource.js';
import type { ResourceState } from '../../state/resource-state.js';
import { encodeTuple, prefixEnd } from '../../state/tuple.js';
import { INDEXES, NAMES, NAMESPACES, RESOURCE, VALUES } from './objects.js';

/** The objects that a state should have. */
export type Model = ReadonlyMap<string, Entry>;

const FLAGS = ['isTerminating', 'isOwned', 'isRestricted', 'isWaiting'] as const;
const MEMBERS = [
  ...['labels', 'fields', 'scopes', 'reading', 'container', 'about', 'owner', 'uid', 'text', 'summary'],
] as readonly (keyof Attributes)[];

/** All that an entry tells, in a form that can be compared. */
export function plain(entry: Entry): unknown {
  const { key, revision, size, attributes, value, rows } = entry;
  return {
    ...{ key, revision, size },
    value: Buffer.from(value).toString('latin1'),
    flags: FLAGS.map((flag) => attributes[flag] === true),
    attributes: MEMBERS.map((member) => attributes[member]),
    rows: rows.map(({ index, tuple }) => `${index} ${tuple}`),
  };
}

/** An object and its version. */
export function named(entries: Iterable<Entry>): readonly string[] {
  return [...entries].map(({ key, revision }) => `${key}@${revision}`);
}

export function sorted(model: Model): readonly Entry[] {
  return [...model.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

interface ModelRow {
  readonly tuple: string;
  readonly entry: Entry;
}

/** The rows of an index, in order, each once. */
function rowsOf(model: Model, index: string): readonly ModelRow[] {
  const all = sorted(model).flatMap((entry) => {
    const tuples = new Set(entry.rows.filter((row) => row.index === index).map(({ tuple }) => tuple));
    return [...tuples].map((tuple) => ({ tuple, entry }));
  });
  const before = (a: ModelRow, b: ModelRow): number => (a.tuple < b.tuple ? -1 : a.tuple === b.tuple ? 0 : 1);
  return all.sort(before);
}

/** Bounds of ranges: those of resources and namespaces, and keys that are there or not. */
const BOUNDS = [
  ...['', '~', `${RESOURCE}/`, `${RESOURCE}0`],
  ...NAMESPACES.flatMap((namespace) => [keyOf(RESOURCE, namespace, ''), keyOf(RESOURCE, namespace, '\uffff')]),
  ...NAMES.map((name) => keyOf(RESOURCE, 'a', name)),
  keyOf(RESOURCE, 'a', 'aa'),
];
const LIMITS = [1, 2, 7, 1000];

/** Calls with some of the values, others for each step. */
function some<T>(values: readonly T[], step: number, count: number): readonly T[] {
  return Array.from({ length: count }, (_, i) => values[(step * 7 + i * 3) % values.length] as T);
}

/** Everything that a state can be asked, against what it should have. Each step asks for other ranges. */
export function expectHolds(state: ResourceState, model: Model, step: number): void {
  const all = sorted(model);
  expect(named(state.entries('', '~'))).to.deep.equal(named(all));
  expect(state.size).to.equal(model.size);
  for (const namespace of [...NAMESPACES, 'none']) {
    const inside = all.filter(({ key }) => partsOf(key).namespace === namespace);
    expect(state.count(namespace), namespace).to.equal(inside.length);
  }
  for (const namespace of NAMESPACES)
    for (const name of [...NAMES, 'n1']) {
      const key = keyOf(RESOURCE, namespace, name);
      expect(state.get(key)?.revision, key).to.equal(model.get(key)?.revision);
    }
  expectRanges(state, all, step);
  for (const index of [...INDEXES, 'none']) expectIndex(state, model, index, step);
}

function expectRanges(state: ResourceState, all: readonly Entry[], step: number): void {
  for (const low of some(BOUNDS, step, 4))
    for (const high of some(BOUNDS, step + 5, 4)) {
      const inside = named(all.filter(({ key }) => key >= low && key < high));
      expect(named(state.entries(low, high)), `${low} to ${high}`).to.deep.equal(inside);
      for (const limit of some(LIMITS, step, 2))
        expect(named(state.first(low, high, limit)), `${limit} of ${low} to ${high}`).to.deep.equal(
          inside.slice(0, limit),
        );
    }
}

function expectIndex(state: ResourceState, model: Model, index: string, step: number): void {
  const rows = rowsOf(model, index);
  if (rows.length > 0) expect(state.hasRows(index), index).to.equal(true);
  const prefixes = ['', ...VALUES.map((value) => encodeTuple([value])), encodeTuple(['u']).slice(0, -1)];
  for (const prefix of prefixes) {
    const inside = rows.filter(({ tuple }) => tuple >= prefix && tuple < prefixEnd(prefix)).map(({ entry }) => entry);
    expect(named(state.range(index, prefix)), `the range ${index} ${prefix}`).to.deep.equal(named(inside));
    expect(named(state.list(index, prefix)), `the list ${index} ${prefix}`).to.deep.equal(named(inside));
  }
  for (const value of VALUES) {
    const tuple = encodeTuple([value]);
    for (const low of some(BOUNDS, step, 2))
      for (const high of some(BOUNDS, step + 3, 2)) {
        const inside = rows.filter(({ tuple: own, entry: { key } }) => own === tuple && key >= low && key < high);
        const [limit] = some(LIMITS, step, 1);
        expect(named(state.first(low, high, limit ?? 1, { index, tuple })), `${limit} of ${tuple}`).to.deep.equal(
          named(inside.slice(0, limit).map(({ entry }) => entry)),
        );
      }
  }
}

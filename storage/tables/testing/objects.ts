import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { IndexRow } from '../../backend.js';
import { type Key, keyOf } from '../../key.js';
import { Definitions } from '../../state/definitions.js';
import { type Entry, entryOf } from '../../state/entry.js';
import type { Attributes, ResourceDefinition } from '../../state/resource.js';
import { encodeTuple } from '../../state/tuple.js';

export const RESOURCE = 'things.thing.svc.app';

/** What an object of these tests says of itself: its attributes, its rows, and how long it is. */
export interface Thing {
  readonly namespace: string;
  readonly name: string;
  readonly rows: readonly (readonly [index: string, value: string | number])[];
  readonly attributes: Partial<Attributes>;
  /** Characters that make it longer. */
  readonly length: number;
}

interface Content {
  readonly rows: Thing['rows'];
  readonly attributes: Partial<Attributes>;
}

function rowsOf(object: unknown): readonly IndexRow[] {
  return (object as Content).rows.map(([index, value]) => ({ index, tuple: encodeTuple([value]) }));
}

export const DEFINITION: ResourceDefinition = {
  resource: RESOURCE,
  extract: (object) => ({ labels: undefined, fields: undefined, ...(object as Content).attributes }),
  rows: rowsOf,
};

export const DEFINITIONS = new Definitions([DEFINITION]);

export function thingKey({ namespace, name }: Pick<Thing, 'namespace' | 'name'>): Key {
  return keyOf(RESOURCE, namespace, name);
}

export function entryFor(thing: Thing, revision: number): Entry {
  const { rows, attributes, length, name } = thing;
  const object = { metadata: { name, resourceVersion: `${revision}` }, rows, attributes, fill: filling(length) };
  return entryOf(DEFINITION, thingKey(thing), revision, Buffer.from(JSON.stringify(object)));
}

/** Different bytes for different lengths, also some that are not ASCII. */
function filling(length: number): string {
  return `é${length} `.repeat(Math.ceil(length / 4)).slice(0, length);
}

export const NAMESPACES = ['', 'a', 'a-b', 'default', 'ö', '\u{1f600}'];
/** Some begin others, and some sort in another order as bytes than as texts. */
export const NAMES = ['a', 'a.b', 'ab', 'b', 'é', '\uffee', '\u{1f600}', '\u{1f600}b', 'z'];
export const INDEXES = ['owner', 'number', 'ö'];
export const VALUES = ['', 'u', 'u1', 'uu', 'é', 7, -1.5];

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', 'same', 'ä', '\u{1f600}'),
);
/** Longer than a text with a length of two bytes, or as long as that. */
const longText = fc
  .tuple(fc.constantFrom(32_766, 32_767, 32_768, 40_000), fc.constantFrom('x', 'é'))
  .map(([bytes, unit]) => unit.repeat(bytes / Buffer.byteLength(unit)));
const texts = fc.dictionary(text, text, { maxKeys: 4 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const attributes: fc.Arbitrary<Partial<Attributes>> = fc.record(
  {
    labels: maybe(texts),
    fields: maybe(texts),
    scopes: maybe(
      fc.oneof(
        { weight: 9, arbitrary: fc.array(text, { maxLength: 3 }) },
        fc.array(longText, { minLength: 1, maxLength: 1 }),
        fc.constantFrom(254, 255, 256, 300).map((count) => Array.from({ length: count }, (_, i) => `s${i}`)),
      ),
    ),
    reading: maybe(fc.array(text, { maxLength: 2 })),
    container: maybe(fc.oneof({ weight: 9, arbitrary: text }, longText)),
    about: maybe(text),
    owner: maybe(fc.record({ name: text, uid: text })),
    uid: maybe(text),
    isTerminating: fc.boolean(),
    isOwned: fc.boolean(),
    isRestricted: fc.boolean(),
    isWaiting: fc.boolean(),
    text: maybe(text),
    summary: maybe(fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: [] },
);

const row = fc.tuple(fc.constantFrom(...INDEXES), fc.constantFrom(...VALUES));
/** Some objects have a row twice. */
const rows = fc
  .array(row, { maxLength: 5 })
  .map((some) => (some.length > 3 ? [...some, some[0] as Thing['rows'][0]] : some));

export const thing: fc.Arbitrary<Thing> = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.oneof(
    fc.constantFrom(...NAMES),
    fc.nat(500).map((n) => `n${n}`),
  ),
  rows,
  attributes,
  length: fc.oneof({ weight: 20, arbitrary: fc.nat(2000) }, fc.nat(100_000)),
});

/** Small ones, for tests of many. */
export const smallThing: fc.Arbitrary<Thing> = fc.record({
  namespace: fc.constantFrom('', 'a', 'a-b', '\u{1f600}'),
  name: fc.constantFrom(...NAMES, 'n1', 'n2', 'n3'),
  rows: fc.array(row, { maxLength: 3 }),
  attributes: fc.record({ container: fc.constantFrom(undefined, 'a', 'é') }),
  length: fc.nat(30),
});

/** A new folder for each test of the suite, which is removed after it. */
export function eachFolder(): () => string {
  let path = '';
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'tables.'));
  });
  afterEach(() => rm(path, { recursive: true, force: true }));
  return () => path;
}

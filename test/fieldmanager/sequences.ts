import { ConflictError } from '../../pkg/kube/fieldmanager/conflict.js';
import { FieldsError } from '../../pkg/kube/fieldmanager/element.js';
import { entriesOf } from '../../pkg/kube/fieldmanager/managers.js';
import { applyTo, entriesAfterUpdate, exactManagers, type Tracked } from '../../pkg/kube/fieldmanager/tracking.js';
import type { FieldType } from '../../pkg/kube/fieldmanager/type.js';
import type { ManagedFieldsEntry } from '../../pkg/kube/meta/types.js';
import { dictionary, Random, type RandomType, randomType, set, struct, text } from './schemas.js';

const API_VERSION = 'test.example/v1';

export interface Write {
  readonly verb: 'apply' | 'update';
  readonly manager: string;
  readonly subresource: string;
  readonly force: boolean;
  readonly time: string;
  readonly object: Readonly<Record<string, unknown>>;
}

export interface Result {
  readonly error?: string;
  readonly causes?: readonly unknown[];
  readonly object?: unknown;
  readonly managed?: readonly ManagedFieldsEntry[] | null;
}

export interface Sequence {
  readonly schema: object;
  readonly writes: readonly Write[];
  readonly results: readonly Result[];
}

/** A random type of objects, and random writes by several managers, with the results of our field management. */
export function randomSequence(seed: number): Sequence {
  const random = new Random(seed);
  const type = objectType(randomType(random), randomType(random, 1));
  return { schema: schemaOf(type), ...randomWrites(random, type) };
}

/** Random writes of objects of a type, with the results of our field management. */
export function randomWrites(
  random: Random,
  type: Pick<RandomType, 'ours' | 'value'>,
): Pick<Sequence, 'writes' | 'results'> {
  let live: Tracked = { object: BARE, entries: undefined };
  let isNew = true;
  const writes: Write[] = [];
  const results: Result[] = [];
  const managers = random.chance(10) ? MANY : FEW;
  const count = managers === MANY ? 25 : 3 + random.below(6);
  for (let i = 0; i < count; i++) {
    const write = randomWrite(random, type, live, i, managers);
    const next = perform(isNew ? undefined : live, write, type.ours);
    writes.push(write);
    results.push(next.result);
    if (next.live === undefined) continue;
    live = next.live;
    isNew = false;
  }
  return { writes, results };
}

const FEW = ['one', 'two', 'three', 'kubectl'];
/** More managers than the ten whose updates have entries of their own. */
const MANY = [...FEW, ...'abcdefghijklmn'];

const BARE = { apiVersion: API_VERSION, kind: 'Thing' };

/** The metadata that clients set. */
export const METADATA = struct({
  name: text,
  labels: dictionary(text),
  annotations: dictionary(text),
  finalizers: set(text),
});

function objectType(spec: RandomType, status: RandomType): RandomType {
  return struct({ apiVersion: text, kind: text, metadata: METADATA, spec, status });
}

const ATOMIC = { namedType: '__untyped_atomic_' };
const DEDUCED = { namedType: '__untyped_deduced_' };

function schemaOf(type: RandomType): object {
  const list = { elementType: ATOMIC, elementRelationship: 'atomic' };
  const atomicMap = { elementType: ATOMIC, elementRelationship: 'atomic' };
  const map = { elementType: DEDUCED, elementRelationship: 'separable' };
  const metadata = withKept(type.theirs as { map: { fields: readonly { name: string; type: object }[] } });
  return {
    types: [
      { name: 'object', ...metadata },
      { name: ATOMIC.namedType, scalar: 'untyped', list, map: atomicMap },
      { name: DEDUCED.namedType, scalar: 'untyped', list, map },
    ],
  };
}

/** Adds uid and managedFields to the schema, because the reference keeps them in its objects. */
function withKept({ map }: { map: { fields: readonly { name: string; type: object }[] } }): object {
  const fields = map.fields.map(({ name, type }) => {
    if (name !== 'metadata') return { name, type };
    const inner = type as { map: { fields: readonly object[] } };
    const kept = [
      { name: 'uid', type: text.theirs },
      { name: 'managedFields', type: ATOMIC },
    ];
    return { name, type: { map: { ...inner.map, fields: [...inner.map.fields, ...kept] } } };
  });
  return { map: { ...map, fields } };
}

function randomWrite(
  random: Random,
  type: Pick<RandomType, 'value'>,
  live: Tracked,
  i: number,
  managers: readonly string[],
): Write {
  const verb = random.chance(60) ? 'apply' : 'update';
  const object = type.value(random) as Record<string, unknown>;
  const changed = verb === 'update' && random.chance(70) ? { ...(live.object as object), ...object } : object;
  const { metadata = {} } = object;
  return {
    verb,
    manager: random.of(managers),
    subresource: random.chance(10) ? 'status' : '',
    force: verb === 'apply' && random.chance(40),
    time: `2001-01-01T00:00:${String(i).padStart(2, '0')}Z`,
    object: { ...changed, ...BARE, metadata: { ...(metadata as object), name: 'a' } },
  };
}

interface Performed {
  readonly result: Result;
  readonly live?: Tracked;
}

/** The results of our field management for writes, one after another. */
export function replay(type: FieldType, writes: readonly Write[]): readonly Result[] {
  let live: Tracked | undefined;
  return writes.map((write) => {
    const next = perform(live, write, type);
    live = next.live ?? live;
    return next.result;
  });
}

function perform(live: Tracked | undefined, write: Write, type: FieldType): Performed {
  try {
    const next = written(live, write, type);
    const exact = entriesOf(exactManagers(next.entries ?? [], next.object, { type })) ?? null;
    return { result: { object: next.object, managed: exact }, live: next };
  } catch (error) {
    if (error instanceof ConflictError) return { result: { error: error.message, causes: error.causes } };
    if (error instanceof FieldsError) return { result: { error: `refused: ${error.message}` } };
    throw error;
  }
}

function written(live: Tracked | undefined, write: Write, type: FieldType): Tracked {
  const { verb, manager, subresource, force, time, object } = write;
  const operation = verb === 'apply' ? 'Apply' : 'Update';
  const by = { manager, operation, apiVersion: API_VERSION, ...(subresource !== '' && { subresource }) } as const;
  const writing = { by, type, now: time };
  if (verb === 'apply') return applyTo(live ?? { object: BARE, entries: undefined }, object, { ...writing, force });
  return { object, entries: entriesAfterUpdate(live, { object, entries: undefined }, writing) };
}

import type { Random } from '../fieldmanager/schemas.js';

type Anything = (random: Random, depth: number) => unknown;
type Members = Record<string, unknown>;

const TIMES = [
  '2020-01-01T00:00:00Z',
  '2020-01-01T00:00:00.5+02:00',
  '2020-13-01T00:00:00Z',
  '2020-02-30T00:00:00Z',
  'x',
  '2020-01-01',
  '2020-01-01T00:00:00Zx',
  '',
];
const NAMES = [
  'a',
  'a/b',
  'a%',
  '.',
  '..',
  '',
  'A_b',
  'example.com/a',
  'a/b/c',
  '/a',
  'x'.repeat(70),
  'orphan',
  'foregroundDeletion',
];

/** The apiVersion, kind and metadata of an embedded resource. They are mostly valid. */
export function randomMeta(random: Random, anything: Anything): Members {
  const members: Members = {};
  if (random.chance(90)) members['apiVersion'] = mostly(random, random.of(['v1', 'a/v1', 'a/b/c', '']), anything);
  if (random.chance(90))
    members['kind'] = mostly(random, random.of(['Thing', 'a-b', '1a', '', 'x'.repeat(70)]), anything);
  if (random.chance(85)) members['metadata'] = random.chance(95) ? metadata(random, anything) : anything(random, 1);
  return members;
}

function metadata(random: Random, anything: Anything): Members {
  const name = (): string => random.of(NAMES);
  const all: Members = {
    name: name(),
    generateName: name(),
    namespace: random.of(['a', 'a.b', 'A', '']),
    uid: 'u',
    generation: random.of([0, 1, -1, 1.5]),
    creationTimestamp: random.of([...TIMES, null]),
    deletionTimestamp: random.of(TIMES),
    deletionGracePeriodSeconds: random.of([0, 30, 'x']),
    labels: { [name()]: random.of(['a', '-', '', null]) },
    annotations: random.of([{}, { [name()]: 'x' }, { a: 1 }]),
    ownerReferences: random.of([[], [owner(random)], [owner(random), { ...owner(random), more: 1 }], [null]]),
    finalizers: random.of([[], [name()], ['orphan', 'foregroundDeletion'], [null]]),
    managedFields: random.of([[], [managed(random)], [{ ...managed(random), more: {} }]]),
    clusterName: 'x',
    '': 1,
  };
  const kept = Object.entries(all).filter(() => random.chance(25));
  return Object.fromEntries(kept.map(([key, value]) => [key, mostly(random, value, anything)]));
}

function owner(random: Random): Members {
  const { of } = { of: <T>(values: readonly T[]): T => random.of(values) };
  const apiVersion = of(['v1', 'a/v1', 'a/', '', 'a/b/c']);
  return {
    apiVersion,
    kind: of(['Thing', 'Event', '']),
    name: of(['a', '']),
    uid: 'u',
    controller: of([true, false, null, 'x']),
  };
}

function managed(random: Random): Members {
  const times: readonly unknown[] = [...TIMES, null];
  return {
    manager: random.of(['a', 'a\n', 'x'.repeat(130)]),
    operation: random.of(['Apply', 'Update', 'x', '']),
    fieldsType: random.of(['FieldsV1', 'x', '']),
    fieldsV1: random.of([{ 'f:a': {} }, {}, null]),
    time: random.of(times),
  };
}

function mostly(random: Random, value: unknown, anything: Anything): unknown {
  return random.chance(94) ? value : anything(random, 1);
}

/**
 * A request of a sequence. `@a` to `@d` are names, and `@run` is the sequence. `$rv(teams/@a)`, `$old(…)` and `$uid(…)`
 * are values from answers.
 */
export interface Sent {
  readonly method: string;
  /** The path below the namespace, such as `teams/@a`, or a whole path, which begins with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * The kinds by plural. Teams have the conventions of Kubernetes, folders have the plain ones, and dashboards have an
 * open spec.
 */
export const KINDS = {
  teams: { kind: 'Team', apiVersion: 'iam.svc.app/v1beta1', more: 'email' },
  dashboards: { kind: 'Dashboard', apiVersion: 'dashboard.svc.app/v1beta1', more: 'refresh' },
  folders: { kind: 'Folder', apiVersion: 'folder.svc.app/v1beta1', more: 'description' },
} as const;
export type Plural = keyof typeof KINDS;

const NAMES = ['@a', '@b', '@c', '@d'] as const;
const MANAGERS = ['m1', 'm2', 'm3'] as const;
const [MERGE, JSON_PATCH, APPLY] = [
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
];
const LENGTH = 30;

/** The requests of a seed. They are the same each time. */
export function sequenceOf(seed: number): readonly Sent[] {
  const random = new Random(seed);
  return Array.from({ length: LENGTH }, () => requestOf(random));
}

type Make = (random: Random, plural: Plural, name: string) => Sent;

/** The verbs with their weights. */
const VERBS: readonly (readonly [number, Make])[] = [
  [20, create],
  [12, put],
  [12, merge],
  [10, jsonPatch],
  [18, apply],
  [8, remove],
  [2, removeAll],
  [8, get],
  [8, list],
];

function requestOf(random: Random): Sent {
  const plural = random.pick(Object.keys(KINDS) as Plural[]);
  const make = random.weighted(VERBS);
  return make(random, plural, random.pick(NAMES));
}

function create(random: Random, plural: Plural, name: string): Sent {
  return { method: 'POST', path: plural, query: writeQuery(random), body: objectOf(random, plural, name) };
}

function put(random: Random, plural: Plural, name: string): Sent {
  const object = objectOf(random, plural, name);
  const version = random.weighted([
    [8, `$rv(${plural}/${name})`],
    [2, `$old(${plural}/${name})`],
    [1, '1'],
  ]);
  const uid = random.chance(0.1) ? { uid: random.pick([`$uid(${plural}/${name})`, 'wrong']) } : {};
  const metadata = { ...object.metadata, resourceVersion: version, ...uid };
  return { method: 'PUT', path: `${plural}/${name}`, query: writeQuery(random), body: { ...object, metadata } };
}

function merge(random: Random, plural: Plural, name: string): Sent {
  const more = KINDS[plural].more;
  const body = random.pick<() => object>([
    () => ({ spec: { title: titleOf(random, name) } }),
    () => ({ spec: { [more]: random.pick(['one', 'two', null]) } }),
    () => ({ metadata: { labels: { a: random.pick(['x', 'y', null]) } } }),
    () => ({ metadata: { annotations: { note: random.pick(['x', null]) } } }),
    () => ({ metadata: { finalizers: random.pick([null, ['e.com/one'], []]) } }),
    () => ({
      metadata: { resourceVersion: random.pick([`$rv(${plural}/${name})`, `$old(${plural}/${name})`]) },
      spec: {},
    }),
    () => ({ metadata: { managedFields: random.pick([[], [{}], null]) } }),
    () => ({ metadata: { generateName: 'g-', namespace: null } }),
    () => ({ unknown: 1, spec: { title: titleOf(random, name) } }),
    () => ({}),
  ])();
  return { method: 'PATCH', path: `${plural}/${name}`, headers: type(MERGE), query: writeQuery(random), body };
}

function jsonPatch(random: Random, plural: Plural, name: string): Sent {
  const { more } = KINDS[plural];
  const operation = random.pick<() => object>([
    () => ({ op: 'replace', path: '/spec/title', value: titleOf(random, name) }),
    () => ({ op: random.pick(['add', 'replace']), path: `/spec/${more}`, value: random.pick(['one', 'two']) }),
    () => ({ op: 'remove', path: `/spec/${more}` }),
    () => ({ op: 'test', path: `/spec/${more}`, value: random.pick(['one', null]) }),
    () => ({ op: 'add', path: '/metadata/labels/a', value: random.pick(['x', 'y']) }),
    () => ({ op: 'remove', path: '/metadata/labels/a' }),
    () => ({ op: 'copy', from: '/metadata/labels/run', path: '/metadata/labels/a' }),
    () => ({ op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/b' }),
    () => ({ op: 'add', path: '/metadata/finalizers', value: random.pick([[], ['e.com/one', 'e.com/two']]) }),
    () => ({ op: 'remove', path: '/metadata/finalizers/-1' }),
    () => ({ op: 'test', path: '/metadata/labels/absent', value: null, extra: 1 }),
  ]);
  const body = Array.from({ length: random.below(3) + 1 }, operation);
  return { method: 'PATCH', path: `${plural}/${name}`, headers: type(JSON_PATCH), query: writeQuery(random), body };
}

function apply(random: Random, plural: Plural, name: string): Sent {
  const { kind, apiVersion, more } = KINDS[plural];
  const labels = { run: '@run', ...(random.chance(0.4) && { a: random.pick(['x', 'y']) }) };
  const metadata = {
    name,
    labels,
    annotations: { run: '@run' },
    ...(random.chance(0.1) && { finalizers: ['e.com/one'] }),
  };
  const spec = { title: titleOf(random, name), ...(random.chance(0.5) && { [more]: random.pick(['one', 'two']) }) };
  const query = {
    ...writeQuery(random),
    fieldManager: random.pick(MANAGERS),
    ...(random.chance(0.4) && { force: 'true' }),
  };
  const body = { apiVersion, kind, metadata, spec };
  return { method: 'PATCH', path: `${plural}/${name}`, headers: type(APPLY), query, body };
}

function remove(random: Random, plural: Plural, name: string): Sent {
  const at = `${plural}/${name}`;
  // An empty precondition in the query fails here (docs/wire-contract.md, section 5.9).
  const isInQuery = random.chance(0.5);
  const empty = isInQuery ? [] : [''];
  const precondition = random.weighted<object>([
    [6, {}],
    [2, { uid: random.pick([`$uid(${at})`, 'wrong', ...empty]) }],
    [2, { resourceVersion: random.pick([`$rv(${at})`, `$old(${at})`, ...empty]) }],
  ]);
  const dryRun = random.weighted<object>([
    [8, {}],
    [1, { dryRun: 'All' }],
    [1, { dryRun: '' }],
  ]);
  if (isInQuery) return { method: 'DELETE', path: at, query: { ...precondition, ...dryRun } };
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: precondition };
  return { method: 'DELETE', path: at, body: { ...options, ...(random.chance(0.1) && { dryRun: ['All'] }) } };
}

function removeAll(random: Random, plural: Plural): Sent {
  const labelSelector = `run=@run,a${random.pick(['=x', '!=x', ' in (x,y)'])}`;
  return { method: 'DELETE', path: plural, query: { labelSelector, ...(random.chance(0.2) && { dryRun: 'All' }) } };
}

const ACCEPTED = [
  'application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json',
] as const;

function get(random: Random, plural: Plural, name: string): Sent {
  const query = random.weighted<Readonly<Record<string, string>>>([
    [8, {}],
    [1, { resourceVersion: '0' }],
    [1, { resourceVersion: `$rv(${plural}/${name})` }],
  ]);
  return { method: 'GET', path: `${plural}/${name}`, query, headers: { accept: random.pick(ACCEPTED) } };
}

function list(random: Random, plural: Plural, name: string): Sent {
  const labelSelector = `run=@run${random.pick(['', ',a=x', ',a notin (x)', ',!a'])}`;
  const query = random.pick<Readonly<Record<string, string>>>([
    {},
    { limit: '9223372036854775807' },
    { fieldSelector: `metadata.name=${name}` },
    { fieldSelector: `metadata.name!=${name}` },
    { fieldSelector: 'spec.nope=x' },
    { limit: '' },
    { labelSelector: 'a b' },
    { resourceVersionMatch: 'Exact' },
  ]);
  return { method: 'GET', path: plural, query: { labelSelector, ...query } };
}

function objectOf(random: Random, plural: Plural, name: string) {
  const { kind, apiVersion, more } = KINDS[plural];
  const metadata = {
    name,
    labels: { run: '@run', ...(random.chance(0.4) && { a: random.pick(['x', 'y', '']) }) },
    annotations: { run: '@run', ...(random.chance(0.2) && { note: 'x' }) },
    ...(random.chance(0.1) && { finalizers: ['e.com/one'] }),
  };
  const spec = random.weighted<object>([
    [12, { title: titleOf(random, name) }],
    [6, { title: titleOf(random, name), [more]: random.pick(['one', 'two']) }],
    [1, { title: 5 }],
    [1, {}],
  ]);
  return { apiVersion, kind, metadata, spec, ...(random.chance(0.1) && { typo: 1, another: 2 }) };
}

/** Different for each name, because titles are unique here. */
const titleOf = (random: Random, name: string): string => `@run ${name} ${random.below(3)}`;

function writeQuery(random: Random): Readonly<Record<string, string>> {
  return {
    fieldManager: random.pick(MANAGERS),
    ...random.weighted<object>([
      [20, {}],
      [3, { dryRun: 'All' }],
      [1, { dryRun: random.pick(['', 'all']) }],
    ]),
    ...random.weighted<object>([
      [20, {}],
      [3, { fieldValidation: random.pick(['Strict', 'Ignore', 'Warn']) }],
      [1, { fieldValidation: 'x' }],
    ]),
  };
}

const type = (contentType: string) => ({ 'content-type': contentType });

/** mulberry32: the same numbers on every machine. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  chance(share: number): boolean {
    return this.below(1_000_000) < share * 1_000_000;
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }

  weighted<T>(all: readonly (readonly [number, T])[]): T {
    let at = this.below(all.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of all) {
      at -= weight;
      if (at < 0) return value;
    }
    throw new Error('weights must be positive');
  }
}

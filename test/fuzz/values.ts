import fc from 'fast-check';

/** No answer may contain this text. Requests send it as a password or a token. */
export const SECRET_SENT = 'hunter2-sent-as-a-secret';
const SECRET_FIELD = /password|token|secret|hash/i;
/** It has the name of a Secret, as in a Mirror. A name is shown to who may see the object. */
const NAME_FIELD = 'secret';

/** Values that have broken other servers: operators of queries, prototypes, limits of numbers and of Unicode. */
export const STRANGE: readonly unknown[] = [
  ...[
    null,
    '',
    ' ',
    'a',
    '__proto__',
    'constructor',
    '..',
    '%00',
    '\u0000',
    '\ud800',
    'ä\u0301',
    '$where',
    '.*',
    'a/b',
  ],
  ...[0, -1, 1.5, 1e300, 2 ** 53, -(2 ** 63), true, false],
  ...[
    [],
    {},
    [[]],
    [null],
    { $gt: '' },
    { $ne: null },
    { a: { b: {} } },
    ['a', 'a'],
    'x'.repeat(300),
    'x'.repeat(20_000),
  ],
];

/** Values that some parameters accept and others refuse. */
export const QUERY_VALUES: readonly string[] = [
  ...['', '0', '1', '5', '-1', 'x', 'true', 'false', 'All', 'Exact', 'NotOlderThan', 'Orphan', 'Foreground', 'Strict'],
  ...['a=b', 'a in (b', 'metadata.name=a', 'metadata.name=a,b', 'None', 'Object'],
];

/** A change of one place of a document. Places are numbered. */
export type Change = readonly [place: number, what: 'set' | 'drop' | 'add', value: unknown];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.nat(1000),
  fc.constantFrom('set', 'set', 'drop', 'add'),
  fc.oneof(fc.constantFrom(...STRANGE), fc.jsonValue({ maxDepth: 2 })),
);

/** At most two changes. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.oneof(
  fc.constant([]),
  fc.array(change, { minLength: 1, maxLength: 2 }),
);

/** Documents that are valid except for at most two places. */
export function nearly(documents: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(documents, changes).map(([document, made]) => withChanges(document, made));
}

export function withChanges(document: unknown, made: readonly Change[]): unknown {
  return made.reduce<unknown>(changed, withSecrets(structuredClone(document)));
}

/** Adds a member, also `__proto__`, which an assignment would not add. */
function define(parent: object, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function changed(document: unknown, [place, what, shared]: Change): unknown {
  const value = structuredClone(shared);
  const places = placesIn(document);
  const chosen = places[place % places.length];
  if (chosen === undefined) return value;
  const { parent, key } = chosen;
  if (what === 'set') parent[key] = value;
  else if (what === 'drop') delete parent[key];
  else define(parent, key === 'name' ? '__proto__' : `${key}x`, value);
  return document;
}

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])]);
}

/** Puts a text that can be found again into the fields with passwords and tokens. */
function withSecrets(document: unknown): unknown {
  for (const { parent, key } of placesIn(document))
    if (key !== NAME_FIELD && SECRET_FIELD.test(key) && typeof parent[key] === 'string') parent[key] = SECRET_SENT;
  return document;
}

/** Values that are not documents. */
export const rubbish: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>('', '{', '[]', 'null', '"x"', '{"a":1,"a":2}', '{"__proto__":{"a":1}}', '['.repeat(5000)),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.uint8Array({ maxLength: 50 }),
  fc.jsonValue(),
);

/** A segment of a path, percent-encoded. */
export const strangeSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%',
    '%00',
    'a%2Fb',
    '..',
    '%2e%2e',
    '__proto__',
    'x'.repeat(300),
    '99999999999999999999',
    '-1',
    '1e3',
  ),
  fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 8 }).map((text) => encodeURIComponent(text)),
);

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': ['application/json', 'application/yaml', 'text/plain', '', ';', 'application/x-www-form-urlencoded'],
  accept: [
    '*/*',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'text/html',
    'application/json;as=x',
    'application/yaml',
  ],
  'if-match': ['*', '"1"', 'x'],
  'x-grafana-org-id': ['1', '2', '-1', 'x', '99999999999999999999'],
  'impersonate-user': ['viewer', 'root', 'nobody', ''],
  'impersonate-group': ['system:masters', 'x'],
  origin: ['https://elsewhere.example', 'null'],
  'accept-encoding': ['gzip', 'identity;q=0', '*;q=0'],
};

/** Mostly no headers. */
export const strangeHeaders = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      Object.fromEntries(Object.entries(HEADERS).map(([name, values]) => [name, fc.constantFrom(...values)])),
      { requiredKeys: [] },
    ),
  },
) as fc.Arbitrary<Readonly<Record<string, string>>>;

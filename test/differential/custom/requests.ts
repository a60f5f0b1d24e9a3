import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import type { Random } from '../../fieldmanager/schemas.js';
import { scalar } from '../../structural/values.js';
import type { Sent } from '../sequences.js';
import { type Defined, schemaOf, specOf } from './definitions.js';
import { some } from './schemas.js';
import { fitting, type Mix } from './values.js';

const NAMES = ['@run-a', '@run-b', '@run-c'];
const MANAGERS = ['m1', 'm2', 'm3'];
const [MERGE, JSON_PATCH, APPLY] = [
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
];
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** What a request is about: one name in one version. */
interface At {
  readonly random: Random;
  readonly defined: Defined;
  readonly version: string;
  readonly schema: JsonSchema;
  readonly name: string;
  /** The path of the collection. */
  readonly all: string;
  readonly path: string;
}

type Make = (at: At) => Sent;

const VERBS: readonly (readonly [number, Make])[] = [
  [22, create],
  [14, put],
  [10, merge],
  [10, jsonPatch],
  [18, apply],
  [14, ofStatus],
  [8, ofScale],
  [6, get],
  [10, list],
  [5, remove],
  [2, removeAll],
];

/** A request about the objects of a definition. */
export function randomRequest(random: Random, defined: Defined): Sent {
  const at = placeIn(random, defined);
  let left = random.below(VERBS.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, make] of VERBS) {
    left -= weight;
    if (left < 0) return make(at);
  }
  throw new Error('weights must be positive');
}

function placeIn(random: Random, defined: Defined): At {
  const versions = defined.spec.versions ?? [];
  const { name: version = '', schema } = random.of(versions);
  const all = collectionOf(defined, random.chance(1) ? 'v9' : version);
  const name = random.of(NAMES);
  return { random, defined, version, schema: schemaOf({ schema }), name, all, path: `${all}/${name}` };
}

export function collectionOf({ spec }: Defined, version: string): string {
  const { group, scope, names } = spec;
  return `/apis/${group}/${version}/${scope === 'Namespaced' ? 'namespaces/default/' : ''}${names?.plural}`;
}

const write = { 'content-type': 'application/json' };

function create(at: At): Sent {
  return { method: 'POST', path: at.all, query: writeQuery(at), headers: write, body: objectFor(at) };
}

function put(at: At): Sent {
  const object = objectFor(at);
  const { random, path } = at;
  const resourceVersion = random.of([...Array.from({ length: 8 }, () => '$rv(@)'), '$old(@)', '1', '']);
  const metadata = {
    ...object.metadata,
    ...(resourceVersion !== '' && { resourceVersion: ofObject(at, resourceVersion) }),
  };
  return { method: 'PUT', path, query: writeQuery(at), headers: write, body: { ...object, metadata } };
}

/** Puts the key of the object into a template such as `$rv(@)`. */
function ofObject({ defined, name }: At, template: string): string {
  return template.replace('@', `${defined.spec.names?.plural}/${name}`);
}

const MOSTLY: readonly Mix[] = [
  { wrong: 0, present: 60 },
  { wrong: 0, present: 90 },
  { wrong: 0, present: 15 },
  { wrong: 4, present: 60 },
  { wrong: 15, present: 60 },
];

/** Mixes for applies, which Kubernetes cannot do with values that do not fit the schema. */
const RIGHT = MOSTLY.slice(0, 3);

function objectFor({ random, defined, version, schema, name }: At, mixes = MOSTLY) {
  const { group, names } = defined.spec;
  const mix = random.of(mixes);
  const oddities = mixes === MOSTLY ? 1 : 0;
  const members = fitting(random, { ...schema, nullable: false }, { ...mix, wrong: 0 }) as object;
  const parts = Object.entries(schema.properties ?? {}).flatMap(([part, one]) => {
    const isOurs = ['apiVersion', 'kind', 'metadata'].includes(part);
    return isOurs || random.chance(10) ? [] : [[part, fitting(random, one, mix)] as const];
  });
  const metadata = {
    name,
    ...some(random, { labels: { a: random.of(['x', 'y', '']) } }),
    ...some(random, { annotations: { note: 'x' } }, 10),
    ...some(random, { finalizers: ['e.com/one'] }, 6),
    ...some(random, { oddity: 1 }, 3 * oddities),
  };
  const typed = {
    apiVersion: `${group}/${random.chance(2) ? 'v9' : version}`,
    kind: random.chance(1) ? 'Other' : names?.kind,
  };
  return {
    ...members,
    ...Object.fromEntries(parts),
    ...some(random, { typo: { b: 1 } }, 5 * oddities),
    ...typed,
    metadata,
  };
}

const pathsOf = (schema: JsonSchema): readonly string[] => Object.keys(schema.properties ?? {});

function fieldOf({ random, schema }: At): readonly [string, JsonSchema] {
  const fields = Object.entries(specOf(schema).properties ?? {});
  return fields.length === 0 || random.chance(3) ? ['gone', {}] : random.of(fields);
}

function merge(at: At): Sent {
  const { random } = at;
  const body = random.of<() => object>([
    () => ({ spec: changesOf(at) }),
    () => ({ spec: changesOf(at) }),
    () => ({ spec: fitting(random, specOf(at.schema), random.of(MOSTLY)) }),
    () => ({ metadata: { labels: { a: random.of(['x', 'y', null]) } } }),
    () => ({ metadata: { finalizers: random.of([null, [], ['e.com/one']]) } }),
    () => ({ metadata: { resourceVersion: ofObject(at, random.of(['$rv(@)', '$old(@)'])) }, spec: changesOf(at) }),
    () => ({ status: { phase: 'x' }, spec: changesOf(at) }),
    () => ({ [random.of(['typo', ...pathsOf(at.schema)])]: scalar(random) }),
    () => ({}),
  ])();
  return { method: 'PATCH', path: at.path, headers: type(MERGE), query: writeQuery(at), body };
}

function changesOf(at: At): object {
  const changes = Array.from({ length: 1 + at.random.below(2) }, () => {
    const [name, schema] = fieldOf(at);
    return [name, at.random.chance(20) ? null : fitting(at.random, schema, at.random.of(MOSTLY))];
  });
  return Object.fromEntries(changes);
}

function jsonPatch(at: At): Sent {
  const { random } = at;
  const operation = (): object => {
    const [name, schema] = fieldOf(at);
    const path = `/spec/${name}`;
    const value = fitting(random, schema, random.of(MOSTLY));
    return random.of<object>([
      { op: 'add', path, value },
      { op: 'add', path, value },
      { op: 'replace', path, value },
      { op: 'remove', path },
      { op: 'test', path, value },
      { op: 'add', path: '/metadata/labels', value: { a: 'x' } },
      { op: 'add', path: `${path}/-`, value: 'a' },
      { op: 'replace', path: '/spec', value: {} },
    ]);
  };
  const body = Array.from({ length: 1 + random.below(2) }, operation);
  return { method: 'PATCH', path: at.path, headers: type(JSON_PATCH), query: writeQuery(at), body };
}

function apply(at: At): Sent {
  const { random } = at;
  const query = { ...writeQuery(at), fieldManager: random.of(MANAGERS), ...some(random, { force: 'true' }, 40) };
  return {
    method: 'PATCH',
    path: at.path,
    headers: type(APPLY),
    query,
    body: objectFor(at, random.chance(10) ? MOSTLY : RIGHT),
  };
}

/** A request to the status. */
function ofStatus(at: At): Sent {
  const { random } = at;
  const path = `${at.path}/status`;
  const status = fitting(random, at.schema.properties?.['status'] ?? {}, random.of(MOSTLY));
  const whole = { ...objectFor(at), status };
  return random.of<() => Sent>([
    () => ({
      ...put(at),
      path,
      body: { ...whole, metadata: { ...whole.metadata, resourceVersion: ofObject(at, '$rv(@)') } },
    }),
    () => ({ method: 'PATCH', path, headers: type(MERGE), query: writeQuery(at), body: { status } }),
    () => ({
      method: 'PATCH',
      path,
      headers: type(MERGE),
      query: writeQuery(at),
      body: { status, spec: changesOf(at), metadata: { labels: { a: 'z' } } },
    }),
    () => ({ ...jsonPatch(at), path, body: [{ op: 'add', path: '/status', value: status }] }),
    () => ({
      ...apply(at),
      path,
      body: { apiVersion: whole.apiVersion, kind: whole.kind, metadata: { name: at.name }, status },
    }),
    () => ({ ...get(at), path }),
  ])();
}

function ofScale(at: At): Sent {
  const { random } = at;
  const path = `${at.path}/scale`;
  const spec = { replicas: random.of<unknown>([0, 1, 2, 5, -1, 3000000000, '2', null, 1.5]) };
  const metadata = {
    name: at.name,
    ...some(random, { resourceVersion: ofObject(at, random.of(['$rv(@)', '$old(@)'])) }, 60),
  };
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata,
    spec,
    ...some(random, { status: { replicas: 9 } }, 20),
  };
  return random.of<() => Sent>([
    () => ({ method: 'GET', path }),
    () => ({ method: 'PUT', path, headers: write, query: writeQuery(at), body: scale }),
    () => ({ method: 'PATCH', path, headers: type(MERGE), query: writeQuery(at), body: { spec } }),
    () => ({
      method: 'PATCH',
      path,
      headers: type(JSON_PATCH),
      query: writeQuery(at),
      body: [{ op: 'replace', path: '/spec/replicas', value: spec.replicas }],
    }),
    () => ({
      ...apply(at),
      path,
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: at.name }, spec },
    }),
  ])();
}

function get({ random, path }: At): Sent {
  return {
    method: 'GET',
    path,
    headers: { accept: random.of(['application/json', 'application/json', TABLE, PARTIAL]) },
  };
}

function list(at: At): Sent {
  const { random, name, all, defined, version } = at;
  const given = defined.spec.versions?.find((one) => one.name === version)?.selectableFields ?? [];
  const field = random.of(['spec.gone', 'metadata.name', ...given.map(({ jsonPath = '' }) => jsonPath.slice(1))]);
  const value = random.of(['', 'a', 'fast', 'true', '1', 'untitled', name]);
  const query = random.of<Readonly<Record<string, string>>>([
    {},
    { fieldSelector: `${field}${random.of(['=', '!='])}${value}` },
    { fieldSelector: `${field}${random.of(['=', '!='])}${value}` },
    { labelSelector: random.of(['a', '!a', 'a in (x,y)', 'a!=x']) },
    { includeObject: random.of(['None', 'Metadata', 'Object']) },
  ]);
  const accept = random.of(['application/json', TABLE, TABLE, PARTIAL_LIST]);
  return { method: 'GET', path: all, query, headers: { accept } };
}

function remove(at: At): Sent {
  const { random, path } = at;
  const query = random.of<Readonly<Record<string, string>>>([
    {},
    {},
    { dryRun: 'All' },
    { resourceVersion: ofObject(at, '$rv(@)') },
  ]);
  return { method: 'DELETE', path, query };
}

function removeAll({ random, all }: At): Sent {
  return { method: 'DELETE', path: all, query: random.of([{ labelSelector: 'a=x' }, { dryRun: 'All' }, {}]) };
}

function writeQuery({ random }: At): Readonly<Record<string, string>> {
  return {
    fieldManager: random.of(MANAGERS),
    ...some(random, { dryRun: 'All' }, 8),
    ...some(random, { fieldValidation: random.of(['Strict', 'Warn', 'Ignore']) }, 30),
  };
}

const type = (contentType: string) => ({ 'content-type': contentType });

import { expect } from 'chai';
import type { Request } from '../../apis/testing/cast.js';
import type { Context, Draft, ExampleObject, PermissionExamples } from '../../apis/testing/permission-examples.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { eventually } from '../e2e/process.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { EXAMPLES } from '../harness/kind-examples.js';
import type { Cast } from './cast.js';
import { customKinds } from './custom-kinds.js';
import type { Prepare, Try } from './expect-row.js';
import { type Row, rowsOf } from './table.js';

/** The kind or the subresource that a row is about. */
export interface Subject {
  readonly kind: Kind;
  /** Empty for objects. */
  readonly subresource: string;
  readonly example: ExampleObject;
  /** Whether the object depends on the caller. */
  readonly isOwn: boolean;
}

/** What the folders of the kinds say of their permissions, and the same of custom kinds. */
const ALL: readonly PermissionExamples[] = [
  ...[...EXAMPLES.values()].flatMap(({ permissions }) => permissions ?? []),
  customKinds,
];
const OBJECTS: PermissionExamples['objects'] = Object.assign({}, ...ALL.map(({ objects }) => objects));

export const ROWS: readonly Row[] = ALL.flatMap(({ rows }) => rowsOf(rows));

/** A caller with a verb, on the server of the tests. */
interface Trying extends Context {
  readonly cast: Cast;
}

/** The subject of a row: `RoleBinding(folder)` or `ServiceAccount/token`. */
export function subjectNamed(kinds: readonly Kind[], word: string): Subject {
  const [name] = word.split(/[(/]/);
  const kind = kinds.find((one) => one.kind === name);
  const example = OBJECTS[word];
  if (kind === undefined || example === undefined) throw new Error(`no examples.ts has an object for ${word}`);
  return { kind, subresource: word.split('/')[1] ?? '', example, isOwn: word.endsWith('(own)') };
}

function pathOf({ apiVersion, scope, resource }: Kind): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${apiVersion}/${scope === 'Cluster' ? '' : 'namespaces/default/'}${resource}`;
}

interface Attempt {
  readonly path: string;
  /** The stored object, or the object to create. */
  readonly object: Body;
  readonly change: object;
  send(method: string, path: string, request?: Request): Promise<Answer>;
}

const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

const VERBS: Readonly<Record<string, (attempt: Attempt) => Try>> = {
  get: ({ path, object, send }) => ({ answer: send('GET', `${path}/${object.metadata.name}`) }),
  list: ({ path, object, send }) => ({ answer: send('GET', path), shows: object.metadata.name }),
  watch: ({ path, object, send }) => ({
    answer: read(send('GET', `${path}?${WATCH}`)),
    shows: object.metadata.name,
  }),
  create: ({ path, object, send }) => ({ answer: send('POST', path, { body: object }) }),
  update: ({ path, object, change, send }) => ({
    answer: send('PUT', `${path}/${object.metadata.name}`, {
      body: { ...object, spec: { ...object.spec, ...change } },
    }),
  }),
  patch: ({ path, object, change, send }) => ({
    answer: send('PATCH', `${path}/${object.metadata.name}`, { body: { spec: change }, headers: MERGE_PATCH }),
  }),
  delete: ({ path, object, send }) => ({ answer: send('DELETE', `${path}/${object.metadata.name}`) }),
  deletecollection: ({ path, object: { metadata }, send }) => ({
    answer: send('DELETE', `${path}?fieldSelector=${encodeURIComponent(`metadata.name=${metadata.name}`)}`),
    shows: metadata.name,
  }),
};

/** The verbs of a subresource. `path` is its path, and `change` is the body. */
const SUBRESOURCE_VERBS: Readonly<Record<string, (attempt: Attempt) => Try>> = {
  get: ({ path, send }) => ({ answer: send('GET', path) }),
  create: ({ path, change, send }) => ({ answer: send('POST', path, { body: change }) }),
  // A subresource of another kind has a body of its own.
  update: ({ path, object, change, send }) => ({
    answer: send('PUT', path, {
      body: 'kind' in change ? { ...change, metadata: { name: object.metadata.name } } : object,
    }),
  }),
  patch: ({ path, change, send }) => ({ answer: send('PATCH', path, { body: change, headers: MERGE_PATCH }) }),
};

const WATCH = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** Reads the initial events of a watch, up to the bookmark after them. */
async function read(watching: Promise<Answer>): Promise<Answer> {
  const answer = await watching;
  if (answer.status !== 200) return answer;
  const events = await answer.frames.until(({ type }) => type === 'BOOKMARK' || type === 'ERROR');
  await answer.frames.close();
  expect(events.at(-1)?.type).to.equal('BOOKMARK');
  return { ...answer, text: JSON.stringify(events) };
}

/**
 * Prepares the requests of a row. Callers share an object until one of them has changed it, because a refused request
 * changes nothing. Where each caller has an object of their own, nothing is shared.
 */
export function kindTries(subject: Subject, cast: Cast, verb: string): Prepare {
  let object: Body | undefined;
  return async (caller, previous) => {
    const context = { cast, caller, verb };
    const isChanged = previous === 'yes' && !READING.has(verb);
    if (isChanged && object !== undefined && verb.startsWith('delete')) await gone(subject, cast, object);
    if (object === undefined || subject.isOwn || isChanged) object = await objectFor(subject, context);
    return kindTry(subject, context, object);
  };
}

/**
 * Waits for the end of a deletion. That of a definition is done after the answer, and would be taken for a write of the
 * next caller.
 */
async function gone({ kind, example }: Subject, { server }: Cast, { metadata }: Body): Promise<void> {
  if (example.dryRun === true) return;
  const path = `${pathOf(kind)}/${metadata.name}`;
  const ask = async () => (await server.call('GET', path)).status === 404 || undefined;
  await eventually(ask, () => `${path} was deleted and is still there`);
}

function objectFor({ kind, subresource, example }: Subject, context: Trying): Promise<Body> {
  const isNew = context.verb === 'create' && subresource === '';
  return (isNew ? missing : present)(pathOf(kind), kind, example, context);
}

function kindTry({ kind, subresource, example }: Subject, context: Trying, object: Body): () => Try {
  const { cast, caller, verb } = context;
  const dryRun = example.dryRun === true && !READING.has(verb) ? { dryRun: 'All' } : undefined;
  const send: Attempt['send'] = (method, at, request = {}) =>
    cast.call(caller, method, at, { ...request, ...(dryRun && { query: dryRun }) });
  const attempt = (subresource === '' ? VERBS : SUBRESOURCE_VERBS)[verb];
  const path = subresource === '' ? pathOf(kind) : `${pathOf(kind)}/${object.metadata.name}/${subresource}`;
  if (attempt === undefined) throw new Error(`kinds-requests.ts has no request for ${verb}`);
  return () => attempt({ path, object, change: example.change(context), send });
}

const READING = new Set(['get', 'list', 'watch']);

/**
 * The body of an object to create. Deletes a stored object with this name first, unless it is the existing one of the
 * example.
 */
async function missing(path: string, kind: Kind, { draft, existing }: ExampleObject, context: Trying): Promise<Body> {
  const { name, spec, annotations, members } = await draft(context);
  if ((await existing?.(context)) !== name) {
    const { status } = await context.cast.server.call('DELETE', `${path}/${name}`);
    expect(status).to.be.oneOf([200, 404]);
  }
  const metadata = { name, ...(annotations && { annotations }) };
  return { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec, ...members } as Body;
}

async function present(path: string, kind: Kind, { draft, existing }: ExampleObject, context: Trying): Promise<Body> {
  const { server } = context.cast;
  const stored = await existing?.(context);
  const { name, spec, annotations, members }: Partial<Draft> =
    stored === undefined ? await draft(context) : { name: stored };
  const get = () => server.call('GET', `${path}/${name}`);
  if (stored === undefined && (await get()).status === 404) {
    const { apiVersion, kind: named } = kind;
    const { status, text } = await server.call('POST', path, {
      body: { apiVersion, kind: named, metadata: { name, ...(annotations && { annotations }) }, spec, ...members },
    });
    expect(status, text).to.equal(201);
  }
  const answer = await get();
  expect(answer.status, answer.text).to.equal(200);
  return answer.json();
}

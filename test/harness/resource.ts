import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../../registry/kinds/kind.js';
import type { Answer } from './answer.js';
import type { Body } from './body.js';
import type { WatchFrames } from './frames.js';
import type { CallOptions, Server } from './server.js';

type Options = Omit<CallOptions, 'body'>;

/** The verbs of one object, or of a subresource of it. */
export interface ObjectVerbs {
  get(name: string, options?: Options): Promise<Answer>;
  /** POST to the object. */
  post(name: string, body: unknown, options?: Options): Promise<Answer>;
  put(name: string, body: unknown, options?: Options): Promise<Answer>;
  merge(name: string, patch: unknown, options?: Options): Promise<Answer>;
  jsonPatch(name: string, patch: unknown, options?: Options): Promise<Answer>;
  remove(name: string, options?: CallOptions): Promise<Answer>;
}

/** The verbs of one kind in the namespace `default`. */
export interface Resource extends ObjectVerbs {
  path(name?: string): string;
  create(body: unknown, options?: Options): Promise<Answer>;
  list(options?: Options): Promise<Answer>;
  removeAll(options?: CallOptions): Promise<Answer>;
  /** The frames of a watch. Fails if the server refuses it. */
  watch(query?: CallOptions['query'], options?: Options): Promise<WatchFrames>;
  subresource(name: string): ObjectVerbs;
}

export type ResourceKind = Pick<Kind, 'apiVersion' | 'resource' | 'scope'>;

export const FOLDERS: ResourceKind = {
  apiVersion: 'folder.svc.app/v1beta1',
  resource: 'folders',
  scope: 'Namespaced',
};

export function resourceOf(server: () => Server, kind: ResourceKind): Resource {
  const namespaced = kind.scope === 'Namespaced' ? 'namespaces/default/' : '';
  const root = kind.apiVersion.includes('/') ? '/apis' : '/api';
  const collection = `${root}/${kind.apiVersion}/${namespaced}${kind.resource}`;
  const path = (name?: string): string =>
    name === undefined ? collection : `${collection}/${encodeURIComponent(name)}`;
  const call = (method: string, options: CallOptions): Promise<Answer> => server().call(method, collection, options);
  const below = (part: string) => (method: string, name: string, options: CallOptions) =>
    server().call(method, `${path(name)}${part}`, options);
  return {
    ...objectVerbs(below('')),
    path,
    create: (body, options) => call('POST', { ...options, body }),
    list: (options = {}) => call('GET', options),
    removeAll: (options = {}) => call('DELETE', options),
    watch: async (query = {}, options = {}) => {
      const answer = await call('GET', { ...options, query: { watch: true, ...query } });
      return accepted(answer, 200).frames;
    },
    subresource: (name) => objectVerbs(below(`/${name}`)),
  };
}

function objectVerbs(call: (method: string, name: string, options: CallOptions) => Promise<Answer>): ObjectVerbs {
  const patch = (type: string, name: string, body: unknown, options: Options = {}): Promise<Answer> =>
    call('PATCH', name, { ...options, body, headers: { 'content-type': type, ...options.headers } });
  return {
    get: (name, options = {}) => call('GET', name, options),
    post: (name, body, options) => call('POST', name, { ...options, body }),
    put: (name, body, options) => call('PUT', name, { ...options, body }),
    merge: (name, body, options) => patch('application/merge-patch+json', name, body, options),
    jsonPatch: (name, body, options) => patch('application/json-patch+json', name, body, options),
    remove: (name, options = {}) => call('DELETE', name, options),
  };
}

/** The answer, if it has this status. Otherwise throws with the answer in the message. */
export function accepted(answer: Answer, status: number): Answer {
  expect(answer.status, `${answer.text.slice(0, 2000)} ${answer.failure}`).to.equal(status);
  return answer;
}

export function bodyOf(answer: Answer, status: number): Body {
  return accepted(answer, status).json();
}

/** Fails unless the answer is a Status with this code and reason, and with this message if one is given. */
export function expectStatus(answer: Answer, code: number, reason: string, message?: RegExp | string): Body {
  const body = bodyOf(answer, code);
  expect(body).to.include({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason });
  expect(body.message).to.be.a('string').and.not.equal('');
  if (typeof message === 'string') expect(body.message).to.include(message);
  else if (message !== undefined) expect(body.message).to.match(message);
  return body;
}

/** Throws if the work writes anything. */
export async function changingNothing<T>(server: Server, work: () => Promise<T>): Promise<T> {
  const before = await server.end();
  const result = await work();
  expect(await server.end(), 'the end of the log').to.equal(before);
  return result;
}

export function withMetadata(object: Body | KubeObject, more: Readonly<Record<string, unknown>>): unknown {
  return { ...object, metadata: { ...object.metadata, ...more } };
}

let names = 0;

/** Returns a name that no other test of this process uses. */
export function freshName(prefix = 'n'): string {
  names++;
  return `${prefix}-${names}`;
}

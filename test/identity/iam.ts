import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { bodyOf } from '../harness/resource.js';
import type { CallOptions, Server } from '../harness/server.js';

const IAM = 'iam.svc.app/v1beta1';

/** Short calls for the kinds of identity and access. */
export interface Iam {
  make(kind: string, name: string, spec: unknown, namespace?: string): Promise<Answer>;
  /** Returns the created object. Throws unless the answer is 201. */
  made(kind: string, name: string, spec: unknown, namespace?: string): Promise<Body>;
  get(kind: string, name: string, namespace?: string): Promise<Answer>;
  merge(kind: string, name: string, patch: unknown, namespace?: string, options?: CallOptions): Promise<Answer>;
  remove(kind: string, name: string, namespace?: string): Promise<Answer>;
  /** All objects, in a namespace or in all namespaces. */
  list(kind: string, namespace?: string): Promise<readonly Body[]>;
  /** metadata.name of all objects, in a namespace or in all namespaces. */
  names(kind: string, namespace?: string): Promise<readonly string[]>;
}

const CLUSTER = new Set(['User', 'Organization']);

function pathOf(kind: string, name: string, namespace: string): string {
  const group = kind === 'Preferences' ? 'preferences.svc.app/v1beta1' : IAM;
  const plural = kind === 'Preferences' ? 'preferences' : `${kind.toLowerCase()}s`;
  const parent = CLUSTER.has(kind) || namespace === '' ? '' : `namespaces/${namespace}/`;
  return `/apis/${group}/${parent}${plural}${name === '' ? '' : `/${name}`}`;
}

export function iam(server: () => Server): Iam {
  const make: Iam['make'] = (kind, name, spec, namespace = 'default') => {
    const apiVersion = kind === 'Preferences' ? 'preferences.svc.app/v1beta1' : IAM;
    return server().call('POST', pathOf(kind, '', namespace), { body: { apiVersion, kind, metadata: { name }, spec } });
  };
  const list: Iam['list'] = async (kind, namespace = 'default') =>
    bodyOf(await server().call('GET', pathOf(kind, '', namespace)), 200).items;
  return {
    make,
    made: async (kind, name, spec, namespace) => bodyOf(await make(kind, name, spec, namespace), 201),
    get: (kind, name, namespace = 'default') => server().call('GET', pathOf(kind, name, namespace)),
    merge: (kind, name, body, namespace = 'default', options = {}) =>
      server().call('PATCH', pathOf(kind, name, namespace), {
        ...options,
        body,
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    remove: (kind, name, namespace = 'default') => server().call('DELETE', pathOf(kind, name, namespace)),
    list,
    names: async (kind, namespace) => (await list(kind, namespace)).map(({ metadata }) => metadata.name),
  };
}

/** The number of stored objects of a resource in a namespace, including internal kinds. */
export async function countOf(server: Server, resource: string, namespace: string): Promise<number> {
  return server.api.registry.reader.count(resource, namespace);
}

/** Waits until `holds` returns true. Only the timeout of the test limits the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

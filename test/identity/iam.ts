import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { bodyOf } from '../harness/resource.js';
import type { CallOptions, Server } from '../harness/server.js';

const IAM = 'iam.svc.app/v1beta1';

/** Calls on the kinds of identity and access, shorter. */
export interface Iam {
  make(kind: string, name: string, spec: unknown, namespace?: string): Promise<Answer>;
  /** Fails unless it is made. */
  made(kind: string, name: string, spec: unknown, namespace?: string): Promise<Body>;
  get(kind: string, name: string, namespace?: string): Promise<Answer>;
  merge(kind: string, name: string, patch: unknown, namespace?: string, options?: CallOptions): Promise<Answer>;
  remove(kind: string, name: string, namespace?: string): Promise<Answer>;
  /** metadata.name of all there are, in a namespace or everywhere. */
  names(kind: string, namespace?: string): Promise<readonly string[]>;
}

const CLUSTER = new Set(['User', 'Organization']);

function pathOf(kind: string, name: string, namespace: string): string {
  const group = kind === 'Preferences' ? 'preferences.svc.app/v1beta1' : IAM;
  const plural = kind === 'Preferences' ? 'preferences' : `${kind.toLowerCase()}s`;
  const place = CLUSTER.has(kind) || namespace === '' ? '' : `namespaces/${namespace}/`;
  return `/apis/${group}/${place}${plural}${name === '' ? '' : `/${name}`}`;
}

export function iam(server: () => Server): Iam {
  const make: Iam['make'] = (kind, name, spec, namespace = 'default') => {
    const apiVersion = kind === 'Preferences' ? 'preferences.svc.app/v1beta1' : IAM;
    return server().call('POST', pathOf(kind, '', namespace), { body: { apiVersion, kind, metadata: { name }, spec } });
  };
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
    names: async (kind, namespace = 'default') => {
      const list = bodyOf(await server().call('GET', pathOf(kind, '', namespace)), 200);
      return list.items.map(({ metadata }) => metadata.name);
    },
  };
}

/** How many objects of a resource are kept in a namespace, internal kinds too. */
export function kept(server: Server, resource: string, namespace: string): number {
  return server.api.registry.cacher.state.resource(resource).count(namespace);
}

/** Waits until `holds`; the test's own time limit is the only one. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

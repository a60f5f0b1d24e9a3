import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { bodyOf, freshName } from '../harness/resource.js';
import type { Server } from '../harness/server.js';

export const NAMESPACES = '/api/v1/namespaces';
export const ORGANIZATIONS = '/apis/iam.svc.app/v1beta1/organizations';
/** The label that shows the name of a namespace. */
export const NAME_LABEL = 'kubernetes.io/metadata.name';
/** The label with the number of an organization. */
export const NUMBER = 'svc.app/deprecatedInternalID';
export const MERGE = { 'content-type': 'application/merge-patch+json' };
export const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
export const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

export const namespace = (name: string, metadata: object = {}, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
  ...more,
});

export const organization = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'iam.svc.app/v1beta1',
  kind: 'Organization',
  metadata: { name, ...metadata },
  spec,
});

export function namespacesOf(server: () => Server) {
  const call = async (method: string, path: string, options: object = {}): Promise<Answer> =>
    server().call(method, path, options);
  return {
    call,
    created: async (name: string, metadata: object = {}, more: object = {}): Promise<Body> =>
      bodyOf(await call('POST', NAMESPACES, { body: namespace(name, metadata, more) }), 201),
    read: async (name: string): Promise<Body> => bodyOf(await call('GET', `${NAMESPACES}/${name}`), 200),
    /** The organization of a namespace. */
    stored: async (name: string): Promise<Body> => bodyOf(await call('GET', `${ORGANIZATIONS}/${name}`), 200),
    patched: (name: string, body: unknown, headers: object = MERGE): Promise<Answer> =>
      call('PATCH', `${NAMESPACES}/${name}`, { body, headers }),
    /** Applies a namespace, or an organization, as the manager `one`. */
    applied: (body: Manifest, query: object = {}): Promise<Answer> => {
      const path = body.kind === 'Namespace' ? NAMESPACES : ORGANIZATIONS;
      const options = { body, headers: APPLY, query: { fieldManager: 'one', ...query } };
      return call('PATCH', `${path}/${body.metadata.name}`, options);
    },
    /** Makes an organization with a title and an address. */
    titled: async (): Promise<{ readonly name: string; readonly spec: object }> => {
      const name = freshName('ns');
      const spec = { title: `Title of ${name}`, address: { city: 'Bonn' } };
      bodyOf(await call('POST', ORGANIZATIONS, { body: organization(name, spec) }), 201);
      return { name, spec };
    },
  };
}

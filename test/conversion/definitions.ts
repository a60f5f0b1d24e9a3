import type { Answer } from '../harness/answer.js';
import type { Server } from '../harness/server.js';

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const NAME = 'widgets.example.com';
export const DEFINITION = `${CRDS}/${NAME}`;

export interface TestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

type Members = Readonly<Record<string, unknown>>;

/** A version of the definition with these members of the spec of its objects. */
export function version(name: string, properties: Members, more: Members = {}): Members {
  const spec = { type: 'object', properties };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return { name, served: true, storage: false, schema, ...more };
}

export const stored = (one: Members): Members => ({ ...one, storage: true });

export function definition(versions: readonly Members[], more: Members = {}): Members {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions,
      ...more,
    },
  };
}

/** Creates the definition, or replaces its spec. */
export async function define(server: Server, versions: readonly Members[], more: Members = {}): Promise<Answer> {
  const body = definition(versions, more);
  const created = await server.call('POST', CRDS, { body });
  if (created.status !== 409) return created;
  return server.call('PATCH', DEFINITION, {
    body: { spec: { ...(body['spec'] as Members) } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
}

export const widgets = (name: string): string => `/apis/example.com/${name}/namespaces/default/widgets`;

export function widget(apiVersion: string, name: string, spec: Members, metadata: Members = {}): Members {
  return { apiVersion: `example.com/${apiVersion}`, kind: 'Widget', metadata: { name, ...metadata }, spec };
}

/** A widget as it is in the store. */
export function storedWidget(server: Server, name: string): TestObject {
  const entry = server.api.registry.reader.entry(NAME, 'default', name);
  return JSON.parse(Buffer.from(entry?.value ?? []).toString()) as TestObject;
}

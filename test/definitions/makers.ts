import type { Definition } from '../../apis/apiextensions/customresourcedefinition/schema.js';

type Members = Readonly<Record<string, unknown>>;

/** A definition of things with one version. Its parts may be invalid. */
export function things(schema: unknown, version: Members = {}, spec: Members = {}): Definition {
  const v1 = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version };
  const names = { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] };
  const whole = { group: 'test.example.com', scope: 'Namespaced', names, versions: [v1], ...spec };
  return { metadata: { name: 'things.test.example.com' }, spec: whole as Definition['spec'] };
}

export const ROOT = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'boolean' }, c: { type: 'array', items: { type: 'string' } } },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
};
export const LISTS = {
  type: 'object',
  properties: {
    e: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    i: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    l: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
      items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    },
    s: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    m: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
export const inSpec = (spec: unknown): Members => ({ type: 'object', properties: { spec } });
export const versions = (...list: readonly Members[]): Members => ({
  versions: list.map((one, i) => ({
    name: `v${i + 1}`,
    served: true,
    storage: i === 0,
    schema: { openAPIV3Schema: { type: 'object', description: `${i}` } },
    ...one,
  })),
});
export const webhook = (clientConfig: unknown, more: Members = {}): Members => ({
  conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig, ...more } },
});
export const service = (more: Members): Members => webhook({ service: { name: 'a', namespace: 'b', ...more } });
export const scale = (specReplicasPath: string, statusReplicasPath: string, labelSelectorPath?: string): Members => ({
  subresources: { scale: { specReplicasPath, statusReplicasPath, labelSelectorPath } },
});
export const columns = (...list: readonly Members[]): Members => ({ additionalPrinterColumns: list });
export const fields = (...paths: readonly string[]): Members => ({
  selectableFields: paths.map((jsonPath) => ({ jsonPath })),
});
export const rules = (...list: readonly Members[]): Members =>
  inSpec({ type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': list });
export const named = (names: Members, name = 'things.test.example.com'): Definition => ({
  ...things(ROOT, {}, { names: { plural: 'things', kind: 'Thing', ...names } }),
  metadata: { name },
});
export const inGroup = (group: string, annotation?: string): Definition => ({
  ...things(ROOT, {}, { group }),
  metadata: {
    name: `things.${group}`,
    annotations: annotation === undefined ? {} : { 'api-approved.kubernetes.io': annotation },
  },
});
export const eight = {
  type: 'object',
  properties: Object.fromEntries([...'abcdefghi'].map((name) => [name, { type: 'string' }])),
};

import { z } from 'zod';
import type { MediaTypes, Operation, Operations } from '../operations.js';
import type { DescribedResource, DescribedSubresource } from '../schemas.js';

export const LAMPS: DescribedResource = {
  group: 'light.svc.app',
  version: 'v1',
  kind: 'Lamp',
  resource: 'lamps',
  singular: 'lamp',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  description: 'A lamp.',
};
export const STATUS: DescribedSubresource = { name: 'status', verbs: ['get', 'patch', 'update'] };
export const BULB: DescribedSubresource = {
  name: 'bulb-change',
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  kind: { group: 'light.svc.app', version: 'v1', kind: 'BulbChange', description: 'A change.', answer: z.object({}) },
  parameters: [{ name: 'old', in: 'query', description: 'The old bulb.', schema: { type: 'string' } }],
};
export const PATCHES = { apply: true };
export const NO_APPLY = { apply: false };

export const WRITING = ['dryRun', 'fieldManager', 'fieldValidation'];
export const DELETING = ['dryRun', 'gracePeriodSeconds', 'operation', 'orphanDependents', 'propagationPolicy'];
export const SELECTING = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
];
export const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const LAMP = 'app.svc.light.v1.Lamp';
export const CHANGE = 'app.svc.light.v1.BulbChange';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** The media types with the names of their schemas. */
export const content = (types: MediaTypes): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(types).map(([type, { schema }]) => [
      type,
      String(schema['$ref']).replace('#/components/schemas/', ''),
    ]),
  );

/** An operation without its texts. */
export function shown({ parameters, requestBody, responses, tags: _, description: __, ...rest }: Operation) {
  return {
    id: rest.operationId,
    action: rest['x-kubernetes-action'],
    kind: (rest['x-kubernetes-group-version-kind'] as { kind: string }).kind,
    parameters: parameters?.map(({ name }) => name),
    body: requestBody && content(requestBody.content),
    isBodyRequired: requestBody?.required,
    answers: Object.fromEntries(Object.entries(responses).map(([code, one]) => [code, content(one.content)])),
  };
}
export const all = (operations: Operations) =>
  Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, shown(operation)]));
export const answers = (codes: readonly number[], types: Readonly<Record<string, string>>) =>
  Object.fromEntries(codes.map((code) => [String(code), types]));
export const json = (name: string) => ({ 'application/json': name });
export const written = (name: string) => ({ 'application/json': name, 'application/yaml': name });
export const tabular = (name: string) => ({ 'application/json': name, [TABLE]: `${META}.Table` });
export const patchTypes = (...types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [`application/${type}`, `${META}.Patch`]));

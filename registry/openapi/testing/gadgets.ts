import { z } from 'zod';
import type { ApiResponse } from '../../../pkg/http/handler.js';
import { jsonOf, requestFor, send } from '../../../pkg/http/negotiation/testing.js';
import type { Schemas } from '../../../pkg/kube/openapi/schema.js';
import { openApiRoutes } from '../routes.js';
import type { DescribedResource } from '../schemas.js';

export const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
export const GADGETS: DescribedResource = {
  group: 'gadget.svc.app',
  version: 'v1beta1',
  kind: 'Gadget',
  resource: 'gadgets',
  singular: 'gadget',
  scope: 'Namespaced',
  verbs: VERBS,
  description: 'A gadget.',
  spec: z.strictObject({ title: z.string().describe('Title.'), ratio: z.union([z.string(), z.number()]).nullish() }),
  status: z.strictObject({ seen: z.int() }),
  selectableFields: { 'spec.title': () => '' },
};
export const LAMPS: DescribedResource = {
  ...GADGETS,
  kind: 'Lamp',
  resource: 'lamps',
  singular: 'lamp',
  scope: 'Cluster',
};
export const REVIEWS: DescribedResource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  resource: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  scope: 'Cluster',
  verbs: ['create'],
  description: 'Who am I?',
};
export const OPTIONS = { title: 'Test', version: 'v1.34.0', patches: { apply: false } };
/** Made again for each request, so that no test depends on what another one has read. */
export const routes = () => openApiRoutes(() => [GADGETS, LAMPS, REVIEWS], OPTIONS);
export const PART = '/openapi/v3/apis/gadget.svc.app/v1beta1';
export const ROOT = '/apis/gadget.svc.app/v1beta1';

export interface OperationBody {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly responses: Record<string, unknown>;
  readonly consumes?: readonly string[];
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': unknown;
}
export type Paths = Record<string, Record<string, OperationBody>>;
export interface V3 {
  readonly paths: Paths;
  readonly components: { readonly schemas: Schemas };
}

export const v3 = async (path = PART, these = routes()): Promise<V3> =>
  jsonOf(await send(these, requestFor(path))) as V3;
export const indexEntries = async (): Promise<Record<string, { serverRelativeURL: string }>> =>
  (jsonOf(await send(routes(), requestFor('/openapi/v3'))) as { paths: Record<string, { serverRelativeURL: string }> })
    .paths;
export const codeOf = (answer: Promise<ApiResponse>): Promise<unknown> =>
  answer.then(
    ({ status }) => status,
    (error: { code?: number }) => error.code,
  );

export function operationsOf(paths: Paths): readonly OperationBody[] {
  return Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) => (method === 'parameters' ? [] : [operation])),
  );
}

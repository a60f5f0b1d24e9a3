import { ref, type Schema } from '../../../pkg/kube/openapi/schema.js';
import { SCIM_TYPE } from '../../../pkg/scim/errors.js';
import { SECURITY, SECURITY_SCHEMES } from '../../../registry/openapi/v3.js';
import { routesOfScim, type ScimRoute } from './routes.js';
import { SCIM_SCHEMAS } from './schemas.js';

export interface ScimDocumentOptions {
  readonly title: string;
  readonly version: string;
  /** Of all paths: `/apis/scim.<domain>/v0alpha1/namespaces/{namespace}`. */
  readonly root: string;
}

/** The OpenAPI document of SCIM. */
export function scimOpenApi({ title, version, root }: ScimDocumentOptions) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routesOfScim()) {
    const path = `${root}${route.path}`;
    paths[path] = { parameters: [NAMESPACE, ...idOf(path)], ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.0.0',
    info: { title, version },
    paths,
    components: { schemas: SCIM_SCHEMAS, securitySchemes: SECURITY_SCHEMES },
    security: SECURITY,
  };
}

const NAMESPACE = {
  name: 'namespace',
  in: 'path',
  required: true,
  description: 'The namespace of the organization.',
  schema: { type: 'string' },
};

function idOf(path: string): readonly object[] {
  if (!path.includes('{id}')) return [];
  return [{ name: 'id', in: 'path', required: true, description: 'The id.', schema: { type: 'string' } }];
}

function operationOf({ path, method, summary, parameters = [], body, answer, status = '200' }: ScimRoute) {
  return {
    tags: [path.split('/')[1] ?? ''],
    summary,
    operationId: `${method}${path.replaceAll(/[^a-zA-Z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    parameters,
    ...(body && { requestBody: { required: true, content: json(ref(body)) } }),
    responses: {
      [status]: { description: 'The request has succeeded.', ...(answer && { content: json(answer) }) },
      default: { description: 'The request is refused.', content: json(ref('scim.Error')) },
    },
  };
}

const json = (schema: Schema) => ({ [SCIM_TYPE]: { schema } });

import fc from 'fast-check';
import type { Server } from '../harness/server.js';
import { type Schema, valuesOf } from '../kinds/suite/arbitrary.js';
import { QUERY_VALUES } from './values.js';

/** An operation of the OpenAPI documents of the resource API. */
export interface Operation {
  readonly method: string;
  /** `/apis/…/folders/{name}` */
  readonly template: string;
  /** The name of the resource in the path (`folders`). */
  readonly resource: string;
  readonly query: readonly Parameter[];
  /** The schema of the body, if there is one. */
  readonly schema: Schema | undefined;
  /** The type of the body: its `apiVersion` and `kind`. */
  readonly type: object;
  readonly contentTypes: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

interface Content {
  readonly schema?: object;
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>> & { parameters?: readonly Parameter[] }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);

/** Reads every document that the server lists. */
export async function operationsOf(server: Server): Promise<readonly Operation[]> {
  const read = async (path: string) => JSON.parse((await server.call('GET', path)).text);
  const { paths } = (await read('/openapi/v3')) as { paths: Readonly<Record<string, { serverRelativeURL: string }>> };
  const documents = await Promise.all(
    Object.values(paths).map(({ serverRelativeURL }) => read(serverRelativeURL) as Promise<Document>),
  );
  return documents.flatMap(operationsIn);
}

function operationsIn({ paths, components }: Document): readonly Operation[] {
  return Object.entries(paths).flatMap(([template, { parameters = [], ...operations }]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, described]) => operation(method, template, parameters, described, components.schemas)),
  );
}

function operation(
  method: string,
  template: string,
  shared: readonly Parameter[],
  { parameters = [], requestBody }: Described,
  schemas: Readonly<Record<string, object>>,
): Operation {
  const content = requestBody?.content ?? {};
  const [first] = Object.values(content);
  const schema = first?.schema && inlined(first.schema, schemas, 6);
  return {
    method: method.toUpperCase(),
    template,
    resource:
      /^\/apis?(?:\/[^/]+){1,2}?\/(?:v\d\w*)\/(?:namespaces\/\{namespace\}\/)?([^/]+)/.exec(template)?.[1] ?? '',
    query: [...shared, ...parameters].filter((parameter) => parameter.in === 'query'),
    schema,
    type: typeOf(schema),
    contentTypes: Object.keys(content),
  };
}

function typeOf(schema: Schema | undefined): object {
  const marked = schema as { readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[] } | undefined;
  const [type] = marked?.['x-kubernetes-group-version-kind'] ?? [];
  if (type === undefined) return {};
  const { group, version, kind } = type;
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind };
}

/** Resolves references. Schemas that contain themselves end at `depth`, with any value. */
function inlined(value: object, schemas: Readonly<Record<string, object>>, depth: number): Schema {
  const resolve = (part: unknown, left: number): unknown => {
    if (Array.isArray(part)) return part.map((element) => resolve(element, left));
    if (typeof part !== 'object' || part === null) return part;
    // The schema of schemas has members with these names, which are no references.
    const { $ref, allOf, ...rest } = part as { $ref?: unknown; allOf?: unknown };
    const [first] = Array.isArray(allOf) ? (allOf as readonly { readonly $ref?: unknown }[]) : [];
    const reference = typeof $ref === 'string' ? $ref : first?.$ref;
    if (typeof reference === 'string')
      return left === 0 ? {} : resolve(schemas[reference.split('/').at(-1) ?? ''] ?? {}, left - 1);
    return Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, resolve(member, left)]));
  };
  return resolve(value, depth) as Schema;
}

/** Selects the trash of a kind. */
const trash = fc.constant([['labelSelector', 'svc.app/get-trash=true'] as const]);

/**
 * At most three of the declared parameters, with values of their schema or other values. Watches end after a second.
 */
export function queryOf({ method, query }: Operation): fc.Arbitrary<Readonly<Record<string, string>>> {
  const one = query.map(({ name, schema = {} }): fc.Arbitrary<readonly [string, string]> => {
    const declared = valuesOf(schema).map((value) => String(value).slice(0, 5));
    const free = fc.constantFrom(...QUERY_VALUES);
    // Random revisions would mostly be in the future, for which reads wait.
    return (name === 'resourceVersion' ? free : fc.oneof(free, declared)).map((value) => [name, value]);
  });
  return fc
    .oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.oneof(...one), { maxLength: 3 }) },
      { weight: method === 'GET' && query.some(({ name }) => name === 'labelSelector') ? 1 : 0, arbitrary: trash },
    )
    .map((chosen) => ({ ...Object.fromEntries(chosen), timeoutSeconds: '1' }));
}

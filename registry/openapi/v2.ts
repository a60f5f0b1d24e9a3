import { mapSchema, type Schema, type Schemas, V2_REFS, V3_REFS } from '../../pkg/openapi/schema.js';
import type { Operation, Operations } from './operations.js';
import type { Parameter } from './parameters.js';
import type { DocumentOptions, OpenApiV3, PathItem } from './v3.js';

/** A document of OpenAPI 3.0 that becomes a part of that of 2.0. */
export interface V2Source extends Pick<OpenApiV3, 'paths' | 'components'> {
  /** Schemas that are in the form of 2.0 already, in place of those with the same names. */
  readonly lowered?: Schemas;
}

/** The documents of all group versions as one document of OpenAPI 2.0 (Swagger). */
export function openApiV2(
  documents: readonly V2Source[],
  options: Pick<DocumentOptions, 'title' | 'version'>,
): unknown {
  const paths = documents.flatMap((document) => Object.entries(document.paths));
  return {
    swagger: '2.0',
    info: { title: options.title, version: options.version },
    paths: Object.fromEntries(paths.map(([path, item]) => [path, pathItem(item)])),
    definitions: definitionsOf(documents),
  };
}

/** The first schema of a name, because groups that clients define come after those of the server. */
function definitionsOf(documents: readonly V2Source[]): Schemas {
  const definitions = new Map<string, Schema>();
  for (const { components, lowered = {} } of documents) {
    for (const [name, schema] of Object.entries(components.schemas)) {
      if (!definitions.has(name)) definitions.set(name, lowered[name] ?? downgrade(schema));
    }
  }
  return Object.fromEntries(definitions);
}

function pathItem({ parameters, ...operations }: PathItem): unknown {
  const entries = Object.entries(operations as Operations).map(([method, operation]) => [method, convert(operation)]);
  return { ...Object.fromEntries(entries), ...(parameters === undefined ? {} : { parameters: parameters.map(flat) }) };
}

function convert(operation: Operation): unknown {
  const { parameters = [], requestBody, responses, ...rest } = operation;
  const body = Object.entries(requestBody?.content ?? {});
  const parameter = body.map(([, { schema }]) => ({
    name: 'body',
    in: 'body',
    ...(requestBody?.required === true ? { required: true } : {}),
    schema: downgrade(schema),
  }));
  const answers = Object.entries(responses).map(([code, { description, content }]) => {
    const schema = content['application/json']?.schema;
    return [code, { description, ...(schema === undefined ? {} : { schema: downgrade(schema) }) }];
  });
  return {
    ...rest,
    consumes: body.length === 0 ? ['*/*'] : body.map(([type]) => type),
    produces: ['application/json'],
    parameters: [...parameters.map(flat), ...parameter.slice(0, 1)],
    responses: Object.fromEntries(answers),
  };
}

/** In 2.0 the type of a parameter is a sibling of its name. */
function flat({ schema, ...parameter }: Parameter): unknown {
  return { ...parameter, ...schema };
}

/** OpenAPI 2.0 has neither alternatives nor null. A schema that it cannot express is left open, so that it is never wrong. */
function downgrade(schema: Schema): Schema {
  return mapSchema(schema, ({ anyOf, oneOf, not: _not, nullable: _nullable, ...rest }) => {
    const open = anyOf === undefined && oneOf === undefined ? {} : { 'x-kubernetes-preserve-unknown-fields': true };
    const reference = typeof rest['$ref'] === 'string' ? { $ref: rest['$ref'].replace(V3_REFS, V2_REFS) } : {};
    return withoutFields(onlyReference({ ...rest, ...reference, ...open }));
  });
}

/** kubectl and Terraform refuse unknown fields of an open object that also lists fields, so Kubernetes removes these in 2.0, too. */
function withoutFields(schema: Schema): Schema {
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true) return schema;
  const { properties: _properties, items: _items, type: _type, ...rest } = schema;
  return rest;
}

/** Go's clients do not follow `allOf`. In 2.0 a reference may have a description beside it, as in Kubernetes' own document. */
function onlyReference({ allOf, ...rest }: Schema): Schema {
  const [only, ...more] = (allOf ?? []) as readonly Schema[];
  const isReference = typeof only?.['$ref'] === 'string' && more.length === 0;
  return isReference ? { ...rest, ...only } : { ...rest, ...(allOf !== undefined && { allOf }) };
}

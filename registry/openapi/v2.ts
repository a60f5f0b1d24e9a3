import { META_SCHEMAS } from '../../pkg/kube/openapi/meta.js';
import { mapSchema, type Schema, type Schemas, V2_REFS, V3_REFS } from '../../pkg/kube/openapi/schema.js';
import { PROTOBUF_MEDIA_TYPE } from '../../pkg/kube/protobuf/types.js';
import type { Operation, Operations } from './operations.js';
import type { Parameter } from './parameters.js';
import type { DocumentOptions, OpenApiV3, PathItem } from './v3.js';

/** A document of OpenAPI 3.0 that becomes a part of that of 2.0. */
interface V2Source extends Pick<OpenApiV3, 'paths' | 'components'> {
  /** Schemas that are in the form of 2.0 already, in place of those with the same names. */
  readonly lowered?: Schemas;
}

/** A form of the whole document, which is joined of its encoded paths and definitions. */
export interface V2Encoding {
  readonly path: (path: string, item: unknown) => Uint8Array;
  readonly definition: (name: string, schema: Schema) => Uint8Array;
  readonly document: (info: object, paths: readonly Uint8Array[], definitions: readonly Uint8Array[]) => Uint8Array;
}

/** What one group version adds to the document. It can be kept when others change. */
export interface EncodedV2 {
  readonly paths: readonly Uint8Array[];
  readonly definitions: ReadonlyMap<string, Uint8Array>;
}

export function encodeV2({ paths, components, lowered = {} }: V2Source, encoding: V2Encoding): EncodedV2 {
  const definitions = Object.entries(components.schemas).map(([name, schema]) => {
    const given = Object.hasOwn(lowered, name) ? lowered[name] : undefined;
    if (given !== undefined) return [name, encoding.definition(name, given)] as const;
    return [name, encodedDefinition(name, schema, encoding)] as const;
  });
  return {
    paths: Object.entries(paths).map(([path, item]) => encoding.path(path, pathItem(item))),
    definitions: new Map(definitions),
  };
}

const common = new WeakMap<V2Encoding, Map<string, Uint8Array>>();

/** Every document has the meta types, so these are encoded once. */
function encodedDefinition(name: string, schema: Schema, encoding: V2Encoding): Uint8Array {
  if (META_SCHEMAS[name] !== schema) return encoding.definition(name, downgrade(schema));
  const kept = common.get(encoding) ?? new Map<string, Uint8Array>();
  common.set(encoding, kept);
  const bytes = kept.get(name) ?? encoding.definition(name, downgrade(schema));
  kept.set(name, bytes);
  return bytes;
}

/**
 * The documents of all group versions as one document of OpenAPI 2.0 (Swagger). It has the first definition of a name,
 * because groups that clients define come after those of the server.
 */
export function joinV2(
  parts: readonly EncodedV2[],
  { title, version }: Pick<DocumentOptions, 'title' | 'version'>,
  encoding: V2Encoding,
): Uint8Array {
  const paths = parts.flatMap((part) => part.paths);
  const definitions = new Map<string, Uint8Array>();
  for (const part of parts) {
    for (const [name, bytes] of part.definitions) if (!definitions.has(name)) definitions.set(name, bytes);
  }
  return encoding.document({ title, version }, paths, [...definitions.values()]);
}

const member = (name: string, value: unknown): Uint8Array =>
  Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
const COMMA = Buffer.from(',');
const listed = (members: readonly Uint8Array[]): readonly Uint8Array[] =>
  members.flatMap((member, i) => (i === 0 ? [member] : [COMMA, member]));

export const V2_JSON: V2Encoding = {
  path: member,
  definition: member,
  document: (info, paths, definitions) =>
    Buffer.concat([
      Buffer.from(`{"swagger":"2.0","info":${JSON.stringify(info)},"paths":{`),
      ...listed(paths),
      Buffer.from('},"definitions":{'),
      ...listed(definitions),
      Buffer.from('}}\n'),
    ]),
};

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
    produces: produced(responses),
    parameters: [...parameters.map(flat), ...parameter.slice(0, 1)],
    responses: Object.fromEntries(answers),
  };
}

function produced(responses: Operation['responses']): readonly string[] {
  const hasMessages = Object.values(responses).some(({ content }) => PROTOBUF_MEDIA_TYPE in content);
  return ['application/json', ...(hasMessages ? [PROTOBUF_MEDIA_TYPE] : [])];
}

/** In 2.0 the type of a parameter is a sibling of its name. */
function flat({ schema, ...parameter }: Parameter): unknown {
  return { ...parameter, ...schema };
}

/**
 * OpenAPI 2.0 has neither alternatives nor null. A schema that it cannot express is left open, so that it is never
 * wrong.
 */
function downgrade(schema: Schema): Schema {
  return mapSchema(schema, ({ anyOf, oneOf, not: _not, nullable: _nullable, ...rest }) => {
    const open = anyOf === undefined && oneOf === undefined ? {} : { 'x-kubernetes-preserve-unknown-fields': true };
    const reference = typeof rest['$ref'] === 'string' ? { $ref: rest['$ref'].replace(V3_REFS, V2_REFS) } : {};
    return withoutFields(onlyReference({ ...rest, ...reference, ...open }));
  });
}

/**
 * kubectl and Terraform refuse unknown fields of an open object that also lists fields, so Kubernetes removes these in
 * 2.0, too.
 */
function withoutFields(schema: Schema): Schema {
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true) return schema;
  const { properties: _properties, items: _items, type: _type, ...rest } = schema;
  return rest;
}

/**
 * Go's clients do not follow `allOf`. In 2.0 a reference may have a description beside it, as in Kubernetes' own
 * document.
 */
function onlyReference({ allOf, ...rest }: Schema): Schema {
  const [only, ...more] = (allOf ?? []) as readonly Schema[];
  const isReference = typeof only?.['$ref'] === 'string' && more.length === 0;
  return isReference ? { ...rest, ...only } : { ...rest, ...(allOf !== undefined && { allOf }) };
}

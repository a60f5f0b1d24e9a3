import { bool, bytesField, double, entries, entry, int, many, message, one, text } from '../protobuf/encode.js';
import { Any, choice, extensions } from './protobuf-parts.js';

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
/** One text or several. */
const Texts = (value: unknown): Uint8Array => many(text(1))(listed(value));
/** One schema or several. */
const Items = (value: unknown): Uint8Array => many(one(1, () => Schema))(listed(value));
const AdditionalProperties = (value: unknown): Uint8Array =>
  typeof value === 'boolean' ? bool(2)(value) : bytesField(1, Schema(value));

const ExternalDocs = message({ description: text(1), url: text(2) });

const Schema = message(
  {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    default: one(5, () => Any),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: bool(8),
    minimum: double(9),
    exclusiveMinimum: bool(10),
    maxLength: int(11),
    minLength: int(12),
    pattern: text(13),
    maxItems: int(14),
    minItems: int(15),
    uniqueItems: bool(16),
    maxProperties: int(17),
    minProperties: int(18),
    required: many(text(19)),
    enum: many(one(20, () => Any)),
    additionalProperties: one(21, () => AdditionalProperties),
    type: one(22, () => Texts),
    items: one(23, () => Items),
    allOf: many(one(24, () => Schema)),
    properties: one(25, () => entries(1, () => Schema)),
    readOnly: bool(27),
    externalDocs: one(29, () => ExternalDocs),
    example: one(30, () => Any),
  },
  extensions(31),
);

const BodyParameter = message(
  { description: text(1), name: text(2), in: text(3), required: bool(4), schema: one(5, () => Schema) },
  extensions(6),
);

/**
 * The members of path parameters. Query parameters have one member more before `type`, and so other numbers from there
 * on.
 */
const simpleParameter = (shift: number) =>
  message(
    {
      required: bool(1),
      in: text(2),
      description: text(3),
      name: text(4),
      type: text(5 + shift),
      format: text(6 + shift),
      default: one(9 + shift, () => Any),
      maximum: double(10 + shift),
      minimum: double(12 + shift),
      maxLength: int(14 + shift),
      minLength: int(15 + shift),
      pattern: text(16 + shift),
      uniqueItems: bool(19 + shift),
      enum: many(one(20 + shift, () => Any)),
    },
    extensions(22 + shift),
  );

const OfQuery = simpleParameter(1);
const OfPath = simpleParameter(0);
const QueryParameter = choice(3, () => OfQuery);
const PathParameter = choice(4, () => OfPath);

/** ParametersItem { 1: Parameter { 1: body, 2: NonBodyParameter { 3: query, 4: path } } }. */
const Parameter = choice(1, () => (value) => {
  const place = (value as { readonly in: string }).in;
  if (place === 'body') return bytesField(1, BodyParameter(value));
  return bytesField(2, (place === 'path' ? PathParameter : QueryParameter)(value));
});

const SchemaItem = choice(1, () => Schema);
const PlainResponse = message({ description: text(1), schema: one(2, () => SchemaItem) }, extensions(5));
/** ResponseValue { 1: Response { 2: SchemaItem { 1: Schema } } }. */
const Response = choice(1, () => PlainResponse);

const Operation = message(
  {
    tags: many(text(1)),
    summary: text(2),
    description: text(3),
    operationId: text(5),
    produces: many(text(6)),
    consumes: many(text(7)),
    parameters: many(one(8, () => Parameter)),
    responses: one(9, () => entries(1, () => Response)),
    deprecated: bool(11),
  },
  extensions(13),
);

const operation = (number: number) => one(number, () => Operation);

const PathItem = message(
  {
    get: operation(2),
    put: operation(3),
    post: operation(4),
    delete: operation(5),
    options: operation(6),
    head: operation(7),
    patch: operation(8),
    parameters: many(one(9, () => Parameter)),
  },
  extensions(10),
);

const pathEntry = entry(2, () => PathItem);
const definitionEntry = entry(1, () => Schema);
const Info = message({ title: text(1), version: text(2), description: text(3) });

/**
 * OpenAPI 2.0 in protobuf, as Go's clients read it: the messages and field numbers of github.com/google/gnostic-models
 * openapiv2/OpenAPIv2.proto. It has what the documents of this server use, and the tests in `registry/openapi` notice
 * when they use more. The document is put together from encoded paths and definitions, so that these can be kept when
 * others change.
 */
export const OPENAPI_V2 = {
  path: (path: string, item: unknown): Uint8Array => pathEntry([path, item]),
  definition: (name: string, schema: unknown): Uint8Array => definitionEntry([name, schema]),
  document: (info: unknown, paths: readonly Uint8Array[], definitions: readonly Uint8Array[]): Uint8Array =>
    Buffer.concat([
      text(1)('2.0'),
      bytesField(2, Info(info)),
      bytesField(8, Buffer.concat(paths)),
      bytesField(9, Buffer.concat(definitions)),
    ]),
} as const;

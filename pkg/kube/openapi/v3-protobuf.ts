import { isNumber } from '../json/exact.js';
import {
  bool,
  bytesField,
  double,
  entries,
  int,
  type MessageEncoder,
  many,
  message,
  one,
  text,
} from '../protobuf/encode.js';
import { Any, choice, extensions } from './protobuf-parts.js';

/**
 * OpenAPI 3.0 in protobuf: the messages and field numbers of github.com/google/gnostic-models
 * openapiv3/OpenAPIv3.proto. It has what the documents of this server use, and `test/e2e/go` compares it with what that
 * library makes of the JSON.
 */
export function encodeOpenApiV3(document: unknown): Uint8Array {
  return Document(document);
}

const Reference = message({ $ref: text(1) });

/** `…OrReference { 1: the message, 2: Reference }`. */
const orReference =
  (of: () => MessageEncoder): MessageEncoder =>
  (value) => {
    const isReference = typeof value === 'object' && value !== null && '$ref' in value;
    return isReference ? bytesField(2, Reference(value)) : bytesField(1, of()(value));
  };

const SchemaOrReference = orReference(() => Schema);
const AdditionalProperties: MessageEncoder = (value) =>
  typeof value === 'boolean' ? bool(2)(value) : bytesField(1, SchemaOrReference(value));
const Items = choice(1, () => SchemaOrReference);

/** Only scalars: the message has no place for lists and objects. */
const DefaultType: MessageEncoder = (value) => {
  if (isNumber(value)) return double(1)(value);
  if (typeof value === 'boolean') return bool(2)(value);
  return typeof value === 'string' ? text(3)(value) : new Uint8Array();
};

const ExternalDocs = message({ description: text(1), url: text(2) });

const Schema = message(
  {
    nullable: bool(1),
    readOnly: bool(3),
    writeOnly: bool(4),
    externalDocs: one(6, () => ExternalDocs),
    example: one(7, () => Any),
    deprecated: bool(8),
    title: text(9),
    multipleOf: double(10),
    maximum: double(11),
    exclusiveMaximum: bool(12),
    minimum: double(13),
    exclusiveMinimum: bool(14),
    maxLength: int(15),
    minLength: int(16),
    pattern: text(17),
    maxItems: int(18),
    minItems: int(19),
    uniqueItems: bool(20),
    maxProperties: int(21),
    minProperties: int(22),
    required: many(text(23)),
    enum: many(one(24, () => Any)),
    type: text(25),
    allOf: many(one(26, () => SchemaOrReference)),
    oneOf: many(one(27, () => SchemaOrReference)),
    anyOf: many(one(28, () => SchemaOrReference)),
    not: one(29, () => Schema),
    items: one(30, () => Items),
    properties: one(31, () => entries(1, () => SchemaOrReference)),
    additionalProperties: one(32, () => AdditionalProperties),
    default: one(33, () => DefaultType),
    description: text(34),
    format: text(35),
  },
  extensions(36),
);

const MediaType = message({ schema: one(1, () => SchemaOrReference), example: one(2, () => Any) }, extensions(5));
const MediaTypes = entries(1, () => MediaType);

const Parameter = message(
  {
    name: text(1),
    in: text(2),
    description: text(3),
    required: bool(4),
    deprecated: bool(5),
    schema: one(10, () => SchemaOrReference),
    example: one(11, () => Any),
  },
  extensions(14),
);
const ParameterOrReference = orReference(() => Parameter);

const RequestBody = message(
  { description: text(1), content: one(2, () => MediaTypes), required: bool(3) },
  extensions(4),
);
const RequestBodyOrReference = orReference(() => RequestBody);

const Response = message({ description: text(1), content: one(3, () => MediaTypes) }, extensions(5));
const ResponseOrReference = orReference(() => Response);

/** Lists of scopes by the name of a scheme. */
const SecurityRequirement = entries(1, () => many(text(1)));

const Operation = message(
  {
    tags: many(text(1)),
    summary: text(2),
    description: text(3),
    operationId: text(5),
    parameters: many(one(6, () => ParameterOrReference)),
    requestBody: one(7, () => RequestBodyOrReference),
    responses: one(8, () => entries(2, () => ResponseOrReference)),
    deprecated: bool(10),
    security: many(one(11, () => SecurityRequirement)),
  },
  extensions(13),
);

const operation = (number: number) => one(number, () => Operation);

const PathItem = message(
  {
    summary: text(2),
    description: text(3),
    get: operation(4),
    put: operation(5),
    post: operation(6),
    delete: operation(7),
    options: operation(8),
    head: operation(9),
    patch: operation(10),
    parameters: many(one(13, () => ParameterOrReference)),
  },
  extensions(14),
);

const SecurityScheme = message(
  { type: text(1), description: text(2), name: text(3), in: text(4), scheme: text(5), bearerFormat: text(6) },
  extensions(9),
);
const SecuritySchemeOrReference = orReference(() => SecurityScheme);

const Components = message(
  {
    schemas: one(1, () => entries(1, () => SchemaOrReference)),
    securitySchemes: one(7, () => entries(1, () => SecuritySchemeOrReference)),
  },
  extensions(10),
);

const Document = message(
  {
    openapi: text(1),
    info: one(2, () => message({ title: text(1), description: text(2), version: text(6) }, extensions(7))),
    paths: one(4, () => entries(1, () => PathItem)),
    components: one(5, () => Components),
    security: many(one(6, () => SecurityRequirement)),
  },
  extensions(9),
);

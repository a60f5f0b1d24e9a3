import { flag, json, listOf, type Member, mapOf, number, pointer, type Shape, struct, text } from './print.js';

/** The members of Kubernetes' internal types, in their order. */

const always =
  (shape: Shape): (() => Shape) =>
  () =>
    shape;
const texts = always(listOf(text));
const optionalText = always(pointer(text));
const optionalNumber = always(pointer(number));
const aText = always(text);
const aFlag = always(flag);

export const validationRule = struct(
  ['Rule', 'rule', aText],
  ['Message', 'message', aText],
  ['MessageExpression', 'messageExpression', aText],
  ['Reason', 'reason', optionalText],
  ['FieldPath', 'fieldPath', aText],
  ['OptionalOldSelf', 'optionalOldSelf', always(pointer(flag))],
);

/** A schema or something else. The API has one member for both, and Kubernetes' type has two. */
function either(names: readonly [schema: string, other: string], isOther: (value: unknown) => boolean, other: Shape) {
  const schema = struct([names[0], 'schema', () => pointer(schemaProps)], [names[1], 'other', always(other)]);
  const print: Shape['print'] = (value, out) =>
    schema.print(isOther(value) ? { other: value } : { schema: value }, out);
  return pointer({ print, isEmpty: () => false });
}

export const schemaOrList = either(
  ['Schema', 'JSONSchemas'],
  Array.isArray,
  listOf({ print: (value, out) => schemaProps.print(value, out), isEmpty: () => false }),
);
const schemaOrTexts = either(['Schema', 'Property'], Array.isArray, listOf(text));

const schemaOrFlag: Shape = pointer({
  print: (value, out) => {
    const isFlag = typeof value === 'boolean';
    allowing.print({ allows: isFlag ? value : true, schema: isFlag ? undefined : value }, out);
  },
  isEmpty: () => false,
});
const allowing = struct(['Allows', 'allows', aFlag], ['Schema', 'schema', () => pointer(schemaProps)]);

const schemas = (): Shape => listOf(schemaProps);
const schemaMap = always(mapOf(() => schemaProps));

const docs = struct(['Description', 'description', aText], ['URL', 'url', aText]);

/** The members of JSONSchemaProps. */
export const SCHEMA_MEMBERS: readonly Member[] = [
  ['ID', 'id', aText],
  ['Schema', '$schema', aText],
  ['Ref', '$ref', optionalText],
  ['Description', 'description', aText],
  ['Type', 'type', aText],
  ['Nullable', 'nullable', aFlag],
  ['Format', 'format', aText],
  ['Title', 'title', aText],
  ['Default', 'default', always(json)],
  ['Maximum', 'maximum', optionalNumber],
  ['ExclusiveMaximum', 'exclusiveMaximum', aFlag],
  ['Minimum', 'minimum', optionalNumber],
  ['ExclusiveMinimum', 'exclusiveMinimum', aFlag],
  ['MaxLength', 'maxLength', optionalNumber],
  ['MinLength', 'minLength', optionalNumber],
  ['Pattern', 'pattern', aText],
  ['MaxItems', 'maxItems', optionalNumber],
  ['MinItems', 'minItems', optionalNumber],
  ['UniqueItems', 'uniqueItems', aFlag],
  ['MultipleOf', 'multipleOf', optionalNumber],
  ['Enum', 'enum', always(listOf(json))],
  ['MaxProperties', 'maxProperties', optionalNumber],
  ['MinProperties', 'minProperties', optionalNumber],
  ['Required', 'required', texts],
  ['Items', 'items', always(schemaOrList)],
  ['AllOf', 'allOf', schemas],
  ['OneOf', 'oneOf', schemas],
  ['AnyOf', 'anyOf', schemas],
  ['Not', 'not', () => pointer(schemaProps)],
  ['Properties', 'properties', schemaMap],
  ['AdditionalProperties', 'additionalProperties', always(schemaOrFlag)],
  ['PatternProperties', 'patternProperties', schemaMap],
  ['Dependencies', 'dependencies', always(mapOf(() => schemaOrTexts))],
  ['AdditionalItems', 'additionalItems', always(schemaOrFlag)],
  ['Definitions', 'definitions', schemaMap],
  ['ExternalDocs', 'externalDocs', always(pointer(docs))],
  ['Example', 'example', always(json)],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', always(pointer(flag))],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', aFlag],
  ['XIntOrString', 'x-kubernetes-int-or-string', aFlag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', texts],
  ['XListType', 'x-kubernetes-list-type', optionalText],
  ['XMapType', 'x-kubernetes-map-type', optionalText],
  ['XValidations', 'x-kubernetes-validations', always(listOf(validationRule))],
];

export const schemaProps: Shape = struct(...SCHEMA_MEMBERS);

export const validation = pointer(struct(['OpenAPIV3Schema', 'openAPIV3Schema', () => pointer(schemaProps)]));

const scale = struct(
  ['SpecReplicasPath', 'specReplicasPath', aText],
  ['StatusReplicasPath', 'statusReplicasPath', aText],
  ['LabelSelectorPath', 'labelSelectorPath', optionalText],
);
export const subresources = pointer(
  struct(['Status', 'status', always(pointer(struct()))], ['Scale', 'scale', always(pointer(scale))]),
);
export const columns = listOf(
  struct(
    ['Name', 'name', aText],
    ['Type', 'type', aText],
    ['Format', 'format', aText],
    ['Description', 'description', aText],
    ['Priority', 'priority', always(number)],
    ['JSONPath', 'jsonPath', aText],
  ),
);
export const selectableFields = listOf(struct(['JSONPath', 'jsonPath', aText]));

export const versions = listOf(
  struct(
    ['Name', 'name', aText],
    ['Served', 'served', aFlag],
    ['Storage', 'storage', aFlag],
    ['Deprecated', 'deprecated', aFlag],
    ['DeprecationWarning', 'deprecationWarning', optionalText],
    ['Schema', 'schema', always(validation)],
    ['Subresources', 'subresources', always(subresources)],
    ['AdditionalPrinterColumns', 'additionalPrinterColumns', always(columns)],
    ['SelectableFields', 'selectableFields', always(selectableFields)],
  ),
);

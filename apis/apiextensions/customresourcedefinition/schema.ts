import { z } from 'zod';
import { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';

/**
 * The members of a CustomResourceDefinition as apiextensions.k8s.io/v1 (1.37) decodes them. What a decoder refuses is
 * refused here. Everything else is left to the validation, so that the answer has its causes. For example, a definition
 * without names passes here.
 */

const text = z.string().optional();
const texts = z.array(z.string()).nullish();
const flag = z.boolean().optional();

/** The members that the OpenAPI document calls required. As in Kubernetes, the validation reports a missing one. */
const needs = (id: string, ...required: readonly string[]) => ({ id, required: [...required] });

/** Base64 with padding. Line breaks are ignored. */
function isBase64(value: string): boolean {
  const letters = value.replaceAll('\n', '').replaceAll('\r', '');
  return Buffer.from(letters, 'base64').toString('base64') === letters;
}

export const CustomResourceDefinitionNames = z
  .strictObject({
    plural: text.describe(
      'The name of the resource in paths. The name of the definition is this, a dot, and the group.',
    ),
    singular: text.describe('The name of one object, for clients: the kind in lower case if it is absent.'),
    shortNames: texts.describe('Short forms of the name, which clients understand.'),
    kind: text.describe('The kind of the objects, such as Backup.'),
    listKind: text.describe('The kind of lists of the objects: the kind and List if it is absent.'),
    categories: texts.describe('Names of sets of resources that it belongs to, such as all.'),
  })
  .meta(needs('CustomResourceDefinitionNames', 'plural', 'kind'));
export type CustomResourceDefinitionNames = z.infer<typeof CustomResourceDefinitionNames>;

export const CustomResourceValidation = z
  .strictObject({
    openAPIV3Schema: JsonSchema.nullish().describe(
      'The schema of the objects, which validates, prunes and fills them.',
    ),
  })
  .meta({ id: 'CustomResourceValidation' });
export type CustomResourceValidation = z.infer<typeof CustomResourceValidation>;

export const CustomResourceSubresourceScale = z
  .strictObject({
    specReplicasPath: text.describe('The path of the wanted number of replicas, below .spec.'),
    statusReplicasPath: text.describe('The path of the present number of replicas, below .status.'),
    labelSelectorPath: z
      .string()
      .nullish()
      .describe('The path of a label selector as text, below .status or .spec, which autoscalers need.'),
  })
  .meta(needs('CustomResourceSubresourceScale', 'specReplicasPath', 'statusReplicasPath'));
export type CustomResourceSubresourceScale = z.infer<typeof CustomResourceSubresourceScale>;

export const CustomResourceSubresources = z
  .strictObject({
    status: z
      .looseObject({})
      .meta({ id: 'CustomResourceSubresourceStatus' })
      .nullish()
      .describe('The objects have a status, which is written at a path of its own.'),
    scale: CustomResourceSubresourceScale.nullish().describe('The objects can be read and written as a Scale.'),
  })
  .meta({ id: 'CustomResourceSubresources' });
export type CustomResourceSubresources = z.infer<typeof CustomResourceSubresources>;

export const CustomResourceColumnDefinition = z
  .strictObject({
    name: text.describe('The heading.'),
    type: text.describe('How values are shown: integer, number, string, boolean or date.'),
    format: text.describe('A more precise type, such as int64 or date-time.'),
    description: text.describe('What the column shows.'),
    priority: z.int32().optional().describe('Columns above 0 are for wide tables only.'),
    jsonPath: text.describe('The path of the value in each object.'),
  })
  .meta(needs('CustomResourceColumnDefinition', 'name', 'type', 'jsonPath'));
export type CustomResourceColumnDefinition = z.infer<typeof CustomResourceColumnDefinition>;

export const SelectableField = z
  .strictObject({
    jsonPath: text.describe(
      'The path of a string, boolean or integer that is not in the metadata. It has no brackets.',
    ),
  })
  .meta(needs('SelectableField', 'jsonPath'));
export type SelectableField = z.infer<typeof SelectableField>;

export const CustomResourceDefinitionVersion = z
  .strictObject({
    name: text.describe('The version, such as v1 or v2beta1.'),
    served: flag.describe('Clients can use the version.'),
    storage: flag.describe('Objects are stored in this version. Exactly one version has it.'),
    deprecated: flag.describe('Clients get a warning with each answer.'),
    deprecationWarning: z.string().nullish().describe('The text of that warning, instead of the usual one.'),
    schema: CustomResourceValidation.nullish().describe('What the objects look like in this version.'),
    subresources: CustomResourceSubresources.nullish().describe('What else the objects have in this version.'),
    additionalPrinterColumns: z
      .array(CustomResourceColumnDefinition)
      .nullish()
      .describe('The columns of tables beside the name. Without any, tables have the age.'),
    selectableFields: z.array(SelectableField).nullish().describe('Up to 8 fields that field selectors can name.'),
  })
  .meta(needs('CustomResourceDefinitionVersion', 'name', 'served', 'storage'));
export type CustomResourceDefinitionVersion = z.infer<typeof CustomResourceDefinitionVersion>;

export const ServiceReference = z
  .strictObject({
    namespace: text.describe('The namespace of the service.'),
    name: text.describe('The name of the service.'),
    path: z.string().nullish().describe('The path of the request.'),
    port: z.int32().nullish().describe('The port: 443 if it is absent.'),
  })
  .meta(needs('ServiceReference', 'namespace', 'name'));
export type ServiceReference = z.infer<typeof ServiceReference>;

export const WebhookClientConfig = z
  .strictObject({
    url: z.string().nullish().describe('The https address that converts. Either this or a service is given.'),
    service: ServiceReference.nullish().describe('The service that converts.'),
    caBundle: z
      .string()
      .refine(isBase64, { error: 'illegal base64 data' })
      .nullish()
      .describe('The certificates, as base64 of PEM, that the certificate of the webhook is checked with.'),
  })
  .meta({ id: 'WebhookClientConfig' });
export type WebhookClientConfig = z.infer<typeof WebhookClientConfig>;

export const WebhookConversion = z
  .strictObject({
    clientConfig: WebhookClientConfig.nullish().describe('Where the webhook is.'),
    conversionReviewVersions: texts.describe('The versions of ConversionReview that the webhook understands.'),
  })
  .meta(needs('WebhookConversion', 'conversionReviewVersions'));
export type WebhookConversion = z.infer<typeof WebhookConversion>;

export const CustomResourceConversion = z
  .strictObject({
    strategy: text.describe('None changes the apiVersion only. Webhook asks a webhook.'),
    webhook: WebhookConversion.nullish().describe('The webhook of the strategy Webhook.'),
  })
  .meta(needs('CustomResourceConversion', 'strategy'));
export type CustomResourceConversion = z.infer<typeof CustomResourceConversion>;

export const CustomResourceDefinitionSpec = z
  .strictObject({
    group: text.describe('The API group of the objects: a domain with at least one dot.'),
    names: CustomResourceDefinitionNames.optional().describe('What the resource is called.'),
    scope: text.describe('Namespaced or Cluster.'),
    versions: z.array(CustomResourceDefinitionVersion).nullish().describe('All versions of the objects.'),
    conversion: CustomResourceConversion.nullish().describe('How objects of one version become those of another.'),
    preserveUnknownFields: flag.describe(
      'Must be false. Use x-kubernetes-preserve-unknown-fields in a schema to keep what the schema does not have.',
    ),
  })
  .meta(needs('CustomResourceDefinitionSpec', 'group', 'names', 'scope', 'versions'));
export type CustomResourceDefinitionSpec = z.infer<typeof CustomResourceDefinitionSpec>;

export const CustomResourceDefinitionCondition = z
  .strictObject({
    type: text.describe('What the condition is about, such as Established.'),
    status: text.describe('True, False or Unknown.'),
    lastTransitionTime: z.iso.datetime({ offset: true }).nullish().describe('When the status changed.'),
    reason: text.describe('Why, in one word.'),
    message: text.describe('Why, for people.'),
    observedGeneration: z.int().optional().describe('The generation of the definition that the condition is about.'),
  })
  .meta(needs('CustomResourceDefinitionCondition', 'type', 'status'));
export type CustomResourceDefinitionCondition = z.infer<typeof CustomResourceDefinitionCondition>;

export const CustomResourceDefinitionStatus = z
  .strictObject({
    conditions: z
      .array(CustomResourceDefinitionCondition)
      .nullish()
      .describe('Whether the names are accepted, whether the objects are served, and what hinders it.'),
    acceptedNames: CustomResourceDefinitionNames.optional().describe('The names that are served.'),
    storedVersions: texts.describe('The versions that objects were ever stored in.'),
    observedGeneration: z.int().optional().describe('The generation of the definition that the status is about.'),
  })
  .meta({ id: 'CustomResourceDefinitionStatus' });
export type CustomResourceDefinitionStatus = z.infer<typeof CustomResourceDefinitionStatus>;

/** The parts of a definition that validation, defaults and conditions read. */
export interface Definition {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
  readonly spec: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus | undefined;
}

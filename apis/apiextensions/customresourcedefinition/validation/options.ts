import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { hasDefault, schemasIn } from '../../../../pkg/kube/structural/schema-parts.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import type { CustomResourceDefinitionStatus, Definition } from '../schema.js';
import { bundleCauses } from './certificates.js';
import { hasReviewVersion } from './conversion.js';
import { conversionProblem } from './convertible.js';
import { type DefaultValues, hasUnprunedDefaults } from './defaults.js';
import { TYPES } from './forms.js';
import { type Hub, validationsOf } from './hub.js';
import { listKeyCauses, setCauses } from './lists.js';
import { areSame } from './members.js';
import { STEP } from './steps.js';
import { structuralCauses } from './structural.js';
import { MAX_SELECTABLE_FIELDS } from './version-parts.js';

/** What the validation requires. An update may keep what the old definition has, even if new ones may not have it. */
export interface ValidationOptions {
  readonly requiresReviewVersion: boolean;
  readonly allowsAnyBundle: boolean;
  readonly requiresImmutableNames: boolean;
  readonly requiresSchema: boolean;
  readonly requiresStructural: boolean;
  readonly requiresPrunedDefaults: boolean;
  readonly requiresValidTypes: boolean;
  readonly requiresAtomicSets: boolean;
  readonly requiresListKeys: boolean;
  /** The versions that may have more selectable fields. '' is all of them. */
  readonly unlimitedFields: ReadonlySet<string>;
}

export const NEW: ValidationOptions = {
  requiresReviewVersion: true,
  allowsAnyBundle: true,
  requiresImmutableNames: false,
  requiresSchema: true,
  requiresStructural: true,
  requiresPrunedDefaults: true,
  requiresValidTypes: true,
  requiresAtomicSets: true,
  requiresListKeys: true,
  unlimitedFields: new Set(),
};

export function* optionsOfUpdate(
  hub: Hub,
  old: Hub,
  oldDefinition: Definition,
  values: DefaultValues,
): Steps<ValidationOptions> {
  const facts = yield* schemaFacts(old);
  const isEstablished = hasTrue(oldDefinition.status, 'Established');
  const client = old.conversion?.webhook?.clientConfig;
  const hadBundle = Boolean(client?.caBundle);
  const reviewVersions = old.conversion?.webhook?.conversionReviewVersions ?? [];
  return {
    requiresReviewVersion: reviewVersions.length === 0 || hasReviewVersion(reviewVersions),
    allowsAnyBundle: !isEstablished || (hadBundle && bundleCauses(client?.caBundle, '').length > 0),
    requiresImmutableNames: isEstablished,
    requiresSchema: hasAllSchemas(old),
    requiresStructural: !(yield* isNonStructural(old)),
    requiresPrunedDefaults: !(yield* hasUnpruned(old, values)),
    ...facts,
    unlimitedFields: unlimitedFields(hub, old),
  };
}

export function hasTrue(status: CustomResourceDefinitionStatus | undefined, type: string): boolean {
  return status?.conditions?.find((condition) => condition.type === type)?.status === 'True';
}

function hasAllSchemas(hub: Hub): boolean {
  if (hub.validation?.openAPIV3Schema != null) return true;
  return hub.versions.every((version) => version.schema?.openAPIV3Schema != null);
}

type Facts = Pick<ValidationOptions, 'requiresValidTypes' | 'requiresAtomicSets' | 'requiresListKeys'>;

function* schemaFacts(hub: Hub): Steps<Facts> {
  const facts = { requiresValidTypes: true, requiresAtomicSets: true, requiresListKeys: true };
  let visited = 0;
  for (const schema of allSchemas(hub)) {
    if (++visited % STEP === 0) yield;
    facts.requiresValidTypes &&= !schema.type || TYPES.includes(schema.type);
    facts.requiresAtomicSets &&= setCauses(schema, '').length === 0;
    facts.requiresListKeys &&= listKeyCauses(schema, '').length === 0;
  }
  return facts;
}

function* allSchemas(hub: Hub): Generator<JsonSchema, void, undefined> {
  for (const { openAPIV3Schema } of validationsOf(hub)) yield* schemasIn(openAPIV3Schema);
}

function* isNonStructural(hub: Hub): Steps<boolean> {
  for (const { openAPIV3Schema: schema } of validationsOf(hub)) {
    if (schema == null) continue;
    if ((yield* conversionProblem(schema)) !== undefined) return true;
    if ((yield* structuralCauses(schema, '')).length > 0) return true;
  }
  return false;
}

function* hasUnpruned(hub: Hub, values: DefaultValues): Steps<boolean> {
  for (const { openAPIV3Schema: schema } of validationsOf(hub)) {
    if (schema == null) continue;
    if ((yield* conversionProblem(schema)) !== undefined || (yield* structuralCauses(schema, '')).length > 0) continue;
    if (yield* hasUnprunedDefaults(schema, values)) return true;
  }
  return false;
}

function unlimitedFields(hub: Hub, old: Hub): ReadonlySet<string> {
  const unlimited = new Set<string>();
  const isKept = (now: unknown, before: readonly unknown[]): boolean =>
    before.length > MAX_SELECTABLE_FIELDS && areSame(now, before);
  if (isKept(hub.selectableFields, old.selectableFields)) unlimited.add('');
  const oldVersions = new Map(old.versions.map((version) => [version.name ?? '', version]));
  for (const { name = '', selectableFields: fields } of hub.versions) {
    if (isKept(fields, oldVersions.get(name)?.selectableFields ?? [])) unlimited.add(name);
  }
  return unlimited;
}

const EXTENSIONS = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-validations',
] as const;

export interface Contents {
  readonly hasDefaults: boolean;
  /** There are extensions of Kubernetes, which need a structural schema. */
  readonly hasExtensions: boolean;
}

export function* contentsOf(hub: Hub): Steps<Contents> {
  const contents = { hasDefaults: false, hasExtensions: false };
  let visited = 0;
  for (const schema of allSchemas(hub)) {
    if (++visited % STEP === 0) yield;
    contents.hasDefaults ||= hasDefault(schema);
    contents.hasExtensions ||= EXTENSIONS.some((name) => isSet(schema[name], name));
  }
  return contents;
}

/** `x-kubernetes-preserve-unknown-fields: false` counts, too. */
function isSet(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value === true || typeof value === 'string' || (value === false && name.includes('preserve'));
}

import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { required } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import type { CustomResourceDefinitionVersion, SelectableField } from '../schema.js';
import { conversionCauses, oneOfCauses } from './conversion.js';
import { conversionProblem } from './convertible.js';
import type { DefaultValues } from './defaults.js';
import { asJson, invalid } from './field-error.js';
import type { Hub } from './hub.js';
import { labelProblems, namesCauses, subdomainProblems } from './names.js';
import type { CompileRules } from './openapi.js';
import { contentsOf, type ValidationOptions } from './options.js';
import { collectCauses } from './steps.js';
import { columnCauses, selectableFieldCauses, subresourceCauses, warningCauses } from './version-parts.js';
import { type SchemaOptions, validationCauses } from './version-schema.js';

export interface Dependencies {
  readonly values: DefaultValues;
  /** Compiles the rules of a schema that has no other problems. Without it, rules are not compiled. */
  readonly compileRules?: CompileRules | undefined;
}

/** What is wrong with the spec, in Kubernetes' order. */
export function* specCauses(
  hub: Hub,
  options: ValidationOptions,
  dependencies: Dependencies,
): Steps<readonly StatusCause[]> {
  const causes = collectCauses();
  causes.add(...groupCauses(hub.group), ...oneOfCauses(hub.scope, ['Cluster', 'Namespaced'], 'spec.scope'));
  causes.add(...missingSchemaCauses(hub, options));
  const { hasDefaults, hasExtensions } = yield* contentsOf(hub);
  const schemaOptions: SchemaOptions = {
    ...options,
    values: dependencies.values,
    compileRules: dependencies.compileRules,
    // Pruning, defaults and extensions need a structural schema, even if the old definition had none.
    requiresStructural: options.requiresStructural || !hub.preserveUnknownFields || hasDefaults || hasExtensions,
  };
  if (hasDefaults && hub.preserveUnknownFields) {
    const why = 'must be false in order to use defaults in the schema';
    causes.add(invalid('spec.preserveUnknownFields', true, why));
  }
  causes.add(...(yield* versionsCauses(hub, options, schemaOptions)));
  causes.add(...storageCauses(hub), ...nameCauses(hub));
  const hasStatus = [hub, ...hub.versions].some(({ subresources }) => subresources?.status != null);
  causes.add(...(yield* validationCauses(hub.validation, hasStatus, 'spec.validation', schemaOptions)));
  causes.add(...subresourceCauses(hub.subresources, 'spec.subresources'));
  causes.add(...columnCauses(hub.columns, 'spec.additionalPrinterColumns'));
  causes.add(...(yield* sharedFieldCauses(hub, options)));
  const { conversion, preserveUnknownFields } = hub;
  if (conversion != null && conversion.strategy !== 'None' && preserveUnknownFields) {
    const why = 'must be None if spec.preserveUnknownFields is true';
    causes.add(invalid('spec.conversion.strategy', asJson(conversion.strategy ?? ''), why));
  }
  causes.add(...conversionCauses(conversion, 'spec.conversion', options));
  return causes.list;
}

function groupCauses(group: string): readonly StatusCause[] {
  if (group === '') return [required('spec.group')];
  const problems = subdomainProblems(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function missingSchemaCauses(hub: Hub, { requiresSchema }: ValidationOptions): readonly StatusCause[] {
  if (hub.validation?.openAPIV3Schema != null) return [];
  if (!requiresSchema && hub.preserveUnknownFields) return [];
  return hub.versions.flatMap((version, i) => {
    const isNeeded = requiresSchema || version.served === true;
    if (version.schema?.openAPIV3Schema != null || !isNeeded) return [];
    const why = requiresSchema ? '' : 'because otherwise all fields are pruned';
    return [required(`spec.versions[${i}].schema.openAPIV3Schema`, why)];
  });
}

function* versionsCauses(
  hub: Hub,
  options: ValidationOptions,
  schemaOptions: SchemaOptions,
): Steps<readonly StatusCause[]> {
  const causes = collectCauses();
  const byName = new Map([...hub.versions].reverse().map((version) => [version.name ?? '', version]));
  const isPerVersion = hub.versions.some(({ subresources }) => subresources != null);
  for (const [i, version] of hub.versions.entries()) {
    yield;
    const path = `spec.versions[${i}]`;
    const { name = '' } = version;
    const problems = labelProblems(name);
    if (problems.length > 0) causes.add(invalid(`${path}.name`, name, problems.join(',')));
    const subresources = isPerVersion ? byName.get(name)?.subresources : hub.subresources;
    causes.add(...warningCauses(version, path));
    const hasStatus = subresources?.status != null;
    causes.add(...(yield* validationCauses(version.schema, hasStatus, `${path}.schema`, schemaOptions)));
    causes.add(...subresourceCauses(version.subresources, `${path}.subresources`));
    causes.add(...columnCauses(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`));
    causes.add(...(yield* versionFieldCauses(version, path, options)));
  }
  return causes.list;
}

function* versionFieldCauses(
  version: CustomResourceDefinitionVersion,
  path: string,
  { unlimitedFields }: ValidationOptions,
): Steps<readonly StatusCause[]> {
  const fields = version.selectableFields ?? [];
  const schema = version.schema?.openAPIV3Schema;
  if (fields.length === 0) return [];
  if (schema == null) {
    const why = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [invalid(`${path}.selectableFields`, '', why)];
  }
  return yield* fieldCauses(fields, schema, path, unlimitedFields.has(version.name ?? ''));
}

function* sharedFieldCauses(hub: Hub, { unlimitedFields }: ValidationOptions): Steps<readonly StatusCause[]> {
  if (hub.selectableFields.length === 0) return [];
  if (hub.validation === undefined) {
    return [invalid('spec.selectableFields', '', 'may only be set when validations.schema is included')];
  }
  const schema = hub.validation.openAPIV3Schema ?? {};
  return yield* fieldCauses(hub.selectableFields, schema, 'spec', unlimitedFields.has(''));
}

/** A schema without a structural form has no fields, and its problem is reported once more. */
function* fieldCauses(
  fields: readonly SelectableField[],
  schema: JsonSchema,
  path: string,
  isUnlimited: boolean,
): Steps<readonly StatusCause[]> {
  const problem = yield* conversionProblem(schema);
  const wrong = problem === undefined ? [] : [invalid(`${path}.schema.openAPIV3Schema`, '', problem)];
  const form = problem === undefined ? schema : {};
  return [...wrong, ...selectableFieldCauses(fields, form, `${path}.selectableFields`, isUnlimited)];
}

function storageCauses({ versions, version }: Hub): readonly StatusCause[] {
  const names = versions.map(({ name = '' }) => name);
  const wrong = (why: string): StatusCause => invalid('spec.versions', names, why);
  const causes: StatusCause[] = [];
  if (new Set(names).size < names.length) causes.push(wrong('must contain unique version names'));
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    causes.push(wrong('must have exactly one version marked as storage version'));
  }
  const problems = version === '' ? [] : labelProblems(version);
  return problems.length === 0 ? causes : [...causes, invalid('spec.version', version, problems.join(','))];
}

function nameCauses({ names }: Hub): readonly StatusCause[] {
  const needed = ['plural', 'singular', 'kind', 'listKind'] as const;
  const missing = needed.filter((name) => !names[name]).map((name) => required(`spec.names.${name}`));
  return [...missing, ...namesCauses(names, 'spec.names')];
}

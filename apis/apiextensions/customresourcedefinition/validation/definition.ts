import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import type { CustomResourceDefinitionVersion, Definition } from '../schema.js';
import { approvalCauses } from './approval.js';
import { asJson, invalid } from './field-error.js';
import { type Hub, hubOf } from './hub.js';
import { namesCauses } from './names.js';
import { NEW, optionsOfUpdate, type ValidationOptions } from './options.js';
import { type Dependencies, specCauses } from './spec.js';

/**
 * What is wrong with a new definition that has its defaults and its `status.storedVersions`, in Kubernetes' words and
 * order (1.37, v1). Labels, annotations and the like are not checked here. It takes time that grows with the schemas:
 * see `Steps`.
 */
export function* validateDefinition(definition: Definition, dependencies: Dependencies): Steps<readonly StatusCause[]> {
  const hub = hubOf(definition.spec);
  const name = definition.metadata.name ?? '';
  const isNamed = name === `${hub.names.plural ?? ''}.${hub.group}`;
  const wrongName = invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group');
  return [...(isNamed ? [] : [wrongName]), ...(yield* causesOf(definition, undefined, hub, NEW, dependencies))];
}

/**
 * The same for a definition that replaces `old`. Its status is that of the old one, with the storage version of the new
 * one.
 */
export function* validateDefinitionUpdate(
  definition: Definition,
  old: Definition,
  dependencies: Dependencies,
): Steps<readonly StatusCause[]> {
  const [hub, oldHub] = [hubOf(definition.spec), hubOf(old.spec)];
  const options = yield* optionsOfUpdate(hub, oldHub, old, dependencies.values);
  return yield* causesOf(definition, { definition: old, hub: oldHub }, hub, options, dependencies);
}

export function validateStatus({ status }: Pick<Definition, 'status'>): readonly StatusCause[] {
  return namesCauses(status?.acceptedNames ?? {}, 'status.acceptedNames');
}

interface Old {
  readonly definition: Definition;
  readonly hub: Hub;
}

function* causesOf(
  definition: Definition,
  old: Old | undefined,
  hub: Hub,
  options: ValidationOptions,
  dependencies: Dependencies,
): Steps<readonly StatusCause[]> {
  const { spec, status } = definition;
  return [
    ...(yield* specCauses(hub, options, dependencies)),
    ...(old === undefined ? [] : immutableCauses(hub, old.hub, options)),
    ...validateStatus(definition),
    ...storedVersionCauses(status?.storedVersions, spec.versions ?? []),
    ...approvalCauses(definition, old?.definition),
    ...preserveCauses(hub, old?.hub),
  ];
}

function immutableCauses(hub: Hub, old: Hub, { requiresImmutableNames }: ValidationOptions): readonly StatusCause[] {
  const why = 'field is immutable';
  const text = (path: string, now = '', before = ''): readonly StatusCause[] =>
    now === before ? [] : [invalid(path, now, why)];
  // The scope is printed as JSON, because it is a type of its own in Kubernetes.
  const scope = hub.scope === old.scope ? [] : [invalid('spec.scope', asJson(hub.scope), why)];
  return [
    ...(requiresImmutableNames ? [...scope, ...text('spec.names.kind', hub.names.kind, old.names.kind)] : []),
    ...text('spec.group', hub.group, old.group),
    ...text('spec.names.plural', hub.names.plural, old.names.plural),
  ];
}

/** Checks that `status.storedVersions` has the storage version, and that the spec has all of its versions. */
function storedVersionCauses(
  stored: readonly string[] | null | undefined,
  versions: readonly CustomResourceDefinitionVersion[],
): readonly StatusCause[] {
  const path = 'status.storedVersions';
  if (stored == null || stored.length === 0) {
    return [invalid(path, null, 'must have at least one stored version')];
  }
  const last = new Map(stored.map((name, i) => [name, i]));
  const causes: StatusCause[] = [];
  for (const { name = '', storage } of versions) {
    if (storage === true && !last.has(name)) {
      causes.push(invalid(path, stored, `must have the storage version ${name}`));
    }
    last.delete(name);
  }
  for (const [name, i] of last) causes.push(invalid(`${path}[${i}]`, name, goneText(name)));
  return causes;
}

function goneText(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions ` +
    `until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
  );
}

function preserveCauses(hub: Hub, old: Hub | undefined): readonly StatusCause[] {
  if (old?.preserveUnknownFields === true || !hub.preserveUnknownFields) return [];
  const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', asJson(true), why)];
}

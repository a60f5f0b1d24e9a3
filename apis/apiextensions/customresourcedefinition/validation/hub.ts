import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '../schema.js';
import { identity, type Shape } from './print.js';
import { columns, selectableFields, subresources, validation } from './shapes.js';

/**
 * A spec in the form that Kubernetes validates, so that paths and texts are the same: what is equal in all versions
 * lies in the spec itself, and not in the versions. A definition with one version therefore has the errors of its
 * schema at `spec.validation.openAPIV3Schema`.
 */
export interface Hub {
  readonly group: string;
  readonly scope: string;
  readonly names: CustomResourceDefinitionNames;
  /** The name of the first version. */
  readonly version: string;
  readonly versions: readonly CustomResourceDefinitionVersion[];
  /** The spec has no member `versions`, which errors show. */
  readonly isVersionless: boolean;
  readonly validation: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly selectableFields: readonly SelectableField[];
  readonly conversion: CustomResourceDefinitionSpec['conversion'];
  readonly preserveUnknownFields: boolean;
}

const MEMBERS = {
  schema: validation,
  subresources,
  additionalPrinterColumns: columns,
  selectableFields,
} as const satisfies Partial<Record<keyof CustomResourceDefinitionVersion, Shape>>;

type Shared = keyof typeof MEMBERS;

export function hubOf(spec: CustomResourceDefinitionSpec): Hub {
  const versions = spec.versions ?? [];
  const [first] = versions;
  const shared = (Object.keys(MEMBERS) as Shared[]).filter((member) => isShared(versions, member));
  const common = <M extends Shared>(member: M) => (shared.includes(member) ? first?.[member] : undefined);
  const without = Object.fromEntries(shared.map((member) => [member, undefined]));
  return {
    group: spec.group ?? '',
    scope: spec.scope ?? '',
    names: spec.names ?? {},
    version: first?.name ?? '',
    versions: versions.map((version) => ({ ...version, ...without })),
    isVersionless: spec.versions == null,
    validation: common('schema') ?? undefined,
    subresources: common('subresources') ?? undefined,
    columns: common('additionalPrinterColumns') ?? [],
    selectableFields: common('selectableFields') ?? [],
    conversion: spec.conversion,
    preserveUnknownFields: spec.preserveUnknownFields === true,
  };
}

/** Whether all versions have the same value. */
function isShared(versions: readonly CustomResourceDefinitionVersion[], member: Shared): boolean {
  const [first, ...others] = versions;
  if (others.length === 0) return true;
  const expected = identity(MEMBERS[member], first?.[member]);
  return others.every((version) => identity(MEMBERS[member], version[member]) === expected);
}

/** The schemas of a spec, each once. */
export function* validationsOf(hub: Hub): Generator<CustomResourceValidation, void, undefined> {
  if (hub.validation !== undefined) yield hub.validation;
  for (const { schema } of hub.versions) if (schema != null) yield schema;
}

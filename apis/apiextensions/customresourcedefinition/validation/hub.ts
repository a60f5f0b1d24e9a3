import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '../schema.js';
import { areSame } from './members.js';

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
  readonly validation: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly selectableFields: readonly SelectableField[];
  readonly conversion: CustomResourceDefinitionSpec['conversion'];
  readonly preserveUnknownFields: boolean;
}

const MEMBERS = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
type Shared = (typeof MEMBERS)[number];

export function hubOf(spec: CustomResourceDefinitionSpec): Hub {
  const versions = spec.versions ?? [];
  const [first] = versions;
  const shared = MEMBERS.filter((member) => isShared(versions, member));
  const common = <M extends Shared>(member: M) => (shared.includes(member) ? first?.[member] : undefined);
  const without = Object.fromEntries(shared.map((member) => [member, undefined]));
  return {
    group: spec.group ?? '',
    scope: spec.scope ?? '',
    names: spec.names ?? {},
    version: first?.name ?? '',
    versions: versions.map((version) => ({ ...version, ...without })),
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
  return others.every((version) => areSame(version[member], first?.[member]));
}

/** The schemas of a spec, each once. */
export function* validationsOf(hub: Hub): Generator<CustomResourceValidation, void, undefined> {
  if (hub.validation !== undefined) yield hub.validation;
  for (const { schema } of hub.versions) if (schema != null) yield schema;
}

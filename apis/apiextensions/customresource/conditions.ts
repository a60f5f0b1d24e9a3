import { canonicalJson } from '../../../pkg/json/canonical.js';
import { isTerminating, type KubeObject } from '../../../pkg/meta/types.js';
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from '../customresourcedefinition/schema.js';

/** A stored definition. */
export type Definition = Omit<KubeObject, 'spec' | 'status'> & {
  readonly spec: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus | undefined;
};

/** Whether the objects of a definition are served. Once they are, they stay so until the definition is gone. */
export function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
}

/** The parts of a definition that decide which kinds it defines, as text. Definitions with the same text define the same kinds. */
export function contentOf(definition: Definition): string {
  const { spec, status, metadata } = definition;
  return canonicalJson([
    metadata.uid,
    // If an earlier content comes back, the text differs, because objects may have been stored in between.
    metadata.generation,
    spec,
    status?.acceptedNames,
    isEstablished(definition),
    isTerminating(definition),
    metadata.labels,
  ]);
}

export function servedNames({ spec, status }: Definition): CustomResourceDefinitionNames {
  return { ...spec.names, ...status?.acceptedNames };
}

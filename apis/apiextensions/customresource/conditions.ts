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

/** What decides which kinds a definition defines: two definitions with the same text define the same. */
export function contentOf(definition: Definition): string {
  const { spec, status, metadata } = definition;
  return canonicalJson([
    metadata.uid,
    // A content that comes back after another one is another content: objects may have been stored in between.
    metadata.generation,
    spec,
    status?.acceptedNames,
    isEstablished(definition),
    isTerminating(definition),
    metadata.labels,
  ]);
}

/** The names under which the objects are served. */
export function servedNames({ spec, status }: Definition): CustomResourceDefinitionNames {
  return { ...spec.names, ...status?.acceptedNames };
}

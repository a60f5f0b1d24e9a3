import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from '../customresourcedefinition/schema.js';

/** A stored definition. */
export type DefinitionObject = Omit<KubeObject, 'spec' | 'status'> & {
  readonly spec: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus | undefined;
};

/** Whether the objects of a definition are served. Once they are, they stay so until the definition is gone. */
export function isEstablished({ status }: DefinitionObject): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
}

/**
 * The parts of a definition that decide which kinds it defines, as text. Definitions with the same text define the same
 * kinds.
 */
export function contentOf(definition: DefinitionObject): string {
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

/**
 * The parts of a definition that decide how objects look and who may see them, as text: a watch ends when they change.
 * Its end and the labels of others are not among them.
 */
export function shapeOf(definition: DefinitionObject, domain: string): string {
  const { spec, status, metadata } = definition;
  const own = Object.entries(metadata.labels ?? {}).filter(([key]) => key.startsWith(`${domain}/`));
  // A deletion is a new generation, too.
  const generation = (metadata.generation ?? 1) - (isTerminating(definition) ? 1 : 0);
  const text = canonicalJson([metadata.uid, generation, spec, status?.acceptedNames, Object.fromEntries(own)]);
  return createHash('sha256').update(text).digest('base64');
}

export function servedNames({ spec, status }: DefinitionObject): CustomResourceDefinitionNames {
  return { ...spec.names, ...status?.acceptedNames };
}

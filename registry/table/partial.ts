import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';

export type MetaVersion = 'v1' | 'v1beta1';

/** The metadata of an object (metav1.PartialObjectMetadata). */
export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: string;
  readonly metadata: Partial<ObjectMeta>;
}

/** The object of a bookmark. It has little metadata and no name. */
export type PartialObject = Omit<KubeObject, 'metadata'> & { readonly metadata: Partial<ObjectMeta> };

export function partialMetadataOf(object: PartialObject, version: MetaVersion = 'v1'): PartialObjectMetadata {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

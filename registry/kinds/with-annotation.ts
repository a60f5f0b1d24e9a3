import type { KubeObject } from '../../pkg/kube/meta/types.js';

/** The object with another value of an annotation, or without it. */
export function withAnnotation<Spec>(
  object: KubeObject<Spec>,
  key: string,
  value: string | undefined,
): KubeObject<Spec> {
  const { annotations, ...metadata } = object.metadata;
  const { [key]: _, ...others } = annotations ?? {};
  const next = value === undefined ? others : { ...others, [key]: value };
  return { ...object, metadata: Object.keys(next).length === 0 ? metadata : { ...metadata, annotations: next } };
}

import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { NAME_LABEL } from './conversion.js';
import type { NamespaceSpec } from './schema.js';

/** Warns about what the server overwrites. Kubernetes overwrites it, too, but says nothing. */
export function adviceOnNamespace({ metadata, spec }: KubeObject<NamespaceSpec>): readonly string[] {
  const advice: string[] = [];
  const label: unknown = isObject(metadata.labels) ? metadata.labels[NAME_LABEL] : undefined;
  if (label !== undefined && label !== metadata.name)
    advice.push(
      `metadata.labels[${NAME_LABEL}]: the server sets this label to the name of the namespace: leave it out`,
    );
  if (isObject(spec) && Array.isArray(spec.finalizers) && spec.finalizers.length === 0)
    advice.push('spec.finalizers: the server sets it, and a namespace always waits for its contents: leave it out');
  return advice;
}

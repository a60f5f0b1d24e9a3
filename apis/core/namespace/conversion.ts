import type { KubeObject, ObjectMeta } from '../../../pkg/kube/meta/types.js';
import { invalid } from '../../../pkg/kube/status/errors.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { groupName, type KindEnvironment } from '../../../registry/kinds/kind.js';
import type { OwnedKeys } from '../../../registry/kinds/owned-keys.js';
import { KUBERNETES, type NamespaceSpec, type NamespaceStatus } from './schema.js';

/** Kubernetes gives every namespace this label, so that selectors can name it. It is not stored. */
export const NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * `hidden` are the keys that only the server sets. A Namespace does not show them, as no kind of Kubernetes does
 * (`Kind.namesAuthors`).
 */
export function namespaceOf(
  { metadata }: KubeObject,
  hidden: Pick<OwnedKeys, 'annotations' | 'labels'>,
): KubeObject<NamespaceSpec, NamespaceStatus> {
  const { annotations, ...rest } = metadata;
  const shown = without(annotations, hidden.annotations);
  const phase = metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating';
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      ...rest,
      ...(shown && { annotations: shown }),
      labels: { ...without(metadata.labels, hidden.labels), [NAME_LABEL]: metadata.name },
    },
    spec: { finalizers: [KUBERNETES] },
    status: { phase },
  };
}

/**
 * The organization without its spec, which a namespace does not have. Throws Invalid for finalizers that an
 * organization cannot have.
 */
export function organizationOf({ metadata, spec }: KubeObject, { domain }: KindEnvironment): KubeObject {
  checkFinalizers(metadata.name, spec);
  return {
    apiVersion: `${groupName('iam', domain)}/v1beta1`,
    kind: 'Organization',
    metadata: withoutNameLabel(metadata),
  };
}

function withoutNameLabel(metadata: ObjectMeta): ObjectMeta {
  const { labels: all, ...rest } = metadata;
  if (!isObject(all) || !(NAME_LABEL in all)) return metadata;
  const labels = without(all as StringMap, [NAME_LABEL]);
  return labels === undefined ? rest : { ...rest, labels };
}

type StringMap = Readonly<Record<string, string>>;

/** Undefined if nothing remains. */
function without(map: StringMap | undefined, keys: readonly string[]): StringMap | undefined {
  const kept = Object.entries(map ?? {}).filter(([key]) => !keys.includes(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function checkFinalizers(name: string, spec: unknown): void {
  const finalizers = isObject(spec) && Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
  const other: unknown = finalizers.find((finalizer) => finalizer !== KUBERNETES);
  if (other === undefined) return;
  const text = JSON.stringify(other).slice(0, 100);
  const message = `Unsupported value: ${text}: supported values: "${KUBERNETES}"; finalizers of your own belong in metadata.finalizers`;
  throw invalid({ group: '', kind: 'Namespace' }, name, [
    { reason: 'FieldValueNotSupported', message, field: 'spec.finalizers' },
  ]);
}

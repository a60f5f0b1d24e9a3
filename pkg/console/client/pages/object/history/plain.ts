import { toYaml } from '../../../../../kube/json/to-yaml.js';
import type { KubeObject } from '../../../lib/object.js';

const OWN_ANNOTATIONS = [
  'createdBy',
  'updatedBy',
  'updatedTimestamp',
  'originUID',
  'deletionID',
  'operationID',
  'keptUntil',
  'message',
];
const OWN_LABELS = ['deprecatedInternalID'];

/** The object in YAML, without the fields that the server sets. */
export function plainYaml(object: KubeObject, domain: string): string {
  const { apiVersion, kind, metadata, status: _, ...members } = object;
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  const shown = {
    name,
    namespace,
    labels: without(labels, OWN_LABELS, domain),
    annotations: without(annotations, OWN_ANNOTATIONS, domain),
    finalizers,
    ownerReferences,
  };
  return toYaml({ apiVersion, kind, metadata: shown, ...members });
}

type Texts = Readonly<Record<string, string>>;

function without(map: Texts | undefined, keys: readonly string[], domain: string): Texts | undefined {
  const owned = new Set(keys.map((key) => `${domain}/${key}`));
  const kept = Object.entries(map ?? {}).filter(([key]) => !owned.has(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { RETAINED, RETAINED_FIELDS, RETAINED_INDEXERS, type RetainedSpec } from '../../../registry/write/retained.js';
import { RetainedVersionSpec } from './schema.js';

/** The earlier versions of objects, and the trash. There may be very many of them. */
export function retainedVersion(environment: KindEnvironment): Kind<RetainedSpec> {
  return defineKind<RetainedSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: RETAINED,
      resource: 'retainedversions',
      singular: 'retainedversion',
      scope: 'Namespaced',
      description: 'RetainedVersion holds an object as it was before it was replaced or deleted.',
      spec: RetainedVersionSpec,
    },
    storage: { indexers: RETAINED_INDEXERS },
    serving: { selectableFields: RETAINED_FIELDS, served: false },
  });
}

import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { STORE_SCHEMA, StoreSchemaSpec } from '../../../registry/upgrade/schema.js';

/** The version of the stored data, as one object. Data without it has the first version. */
export function storeSchema(environment: KindEnvironment): Kind<StoreSchemaSpec> {
  return defineKind<StoreSchemaSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: STORE_SCHEMA,
      resource: 'storeschemas',
      singular: 'storeschema',
      scope: 'Cluster',
      description: 'StoreSchema has the version of the stored data.',
      spec: StoreSchemaSpec,
      names: UID_NAMES,
    },
    serving: { served: false },
  });
}

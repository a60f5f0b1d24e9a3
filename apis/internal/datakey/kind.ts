import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { DataKeySpec } from './schema.js';

/**
 * The key that encrypts the secrets of other objects. Only this key is encrypted under `security.secret_key`
 * (docs/adr/0024).
 */
export function dataKey(environment: KindEnvironment): Kind<DataKeySpec> {
  return defineKind<DataKeySpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'DataKey',
      resource: 'datakeys',
      singular: 'datakey',
      scope: 'Cluster',
      description: 'DataKey encrypts secrets in the store.',
      spec: DataKeySpec,
      names: UID_NAMES,
    },
    serving: { served: false },
  });
}

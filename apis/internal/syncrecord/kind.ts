import { SIGN_ON_NAME } from '../../../pkg/identity/signon/keys.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { SyncRecordSpec } from './schema.js';

/**
 * What the last synchronization with a provider of sign-in did. It has the name of the provider, but is a separate
 * object, because the settings of the provider may be those of the server, which are not stored.
 */
export function syncRecord(environment: KindEnvironment): Kind<SyncRecordSpec> {
  return defineKind<SyncRecordSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'SyncRecord',
      resource: 'syncrecords',
      singular: 'syncrecord',
      scope: 'Cluster',
      description: 'SyncRecord holds what the last synchronization with a provider did.',
      spec: SyncRecordSpec,
      names: { maxLength: 40, pattern: SIGN_ON_NAME, patternMessage: 'must be a provider' },
    },
    serving: { served: false },
  });
}

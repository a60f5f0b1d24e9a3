import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { currentSession } from '../credential-ids.js';
import { sessionsOf } from '../session/kind.js';
import { CredentialSpec } from './schema.js';

/** The password of a user. It has the name of the user. */
export function credential(environment: KindEnvironment): Kind<CredentialSpec> {
  const users = resourceName('iam/users', environment.domain);
  return defineKind<CredentialSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'Credential',
      resource: 'credentials',
      singular: 'credential',
      scope: 'Cluster',
      description: 'Credential holds the hash of a password.',
      spec: CredentialSpec,
      names: UID_NAMES,
    },
    storage: {
      references: ({ metadata }) => [{ resource: users, namespace: '', name: metadata.name, field: 'metadata.name' }],
    },
    serving: { served: false },
    // A new password ends all sessions but the one that set it.
    strategy: {
      alsoDelete: ({ metadata }, _old, { reader, user }) =>
        sessionsOf(reader, environment.domain, metadata.name).filter(({ name }) => name !== currentSession(user)),
    },
  });
}

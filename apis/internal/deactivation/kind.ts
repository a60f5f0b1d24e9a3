import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { DeactivationSpec } from './schema.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as DeactivationSpec;

/**
 * A user whom the synchronization with a provider has disabled, and may enable. Its name is that of the user. Any other
 * change of `disabled` deletes it in the same commit.
 */
export function deactivation(environment: KindEnvironment): Kind<DeactivationSpec> {
  const users = resourceName('iam/users', environment.domain);
  return defineKind<DeactivationSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'Deactivation',
      resource: 'deactivations',
      singular: 'deactivation',
      scope: 'Cluster',
      description: 'Deactivation names a user whom the synchronization with a sign-on provider has disabled.',
      spec: DeactivationSpec,
      names: UID_NAMES,
    },
    storage: {
      references: (object) => [
        { resource: users, namespace: '', name: specOf(object).userRef.name, field: 'spec.userRef.name' },
      ],
    },
    serving: { served: false },
  });
}

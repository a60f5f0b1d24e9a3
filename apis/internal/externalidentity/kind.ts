import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName, UID_NAMES } from '../../../registry/kinds/names.js';
import { BY_USER, ExternalIdentitySpec } from './schema.js';

const specOf = ({ spec }: { readonly spec?: unknown }) => spec as ExternalIdentitySpec;

/**
 * The account of a user at a sign-on provider. Its name is a hash of provider, issuer and subject, so that each is the
 * account of one user.
 */
export function externalIdentity(environment: KindEnvironment): Kind<ExternalIdentitySpec> {
  const users = resourceName('iam/users', environment.domain);
  return defineKind<ExternalIdentitySpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'ExternalIdentity',
      resource: 'externalidentities',
      singular: 'externalidentity',
      scope: 'Cluster',
      description: 'ExternalIdentity names the account of a user at a sign-on provider.',
      spec: ExternalIdentitySpec,
      names: UID_NAMES,
    },
    storage: {
      indexers: { [BY_USER]: (object) => [[specOf(object).userRef.name]] },
      references: (object) => [
        { resource: users, namespace: '', name: specOf(object).userRef.name, field: 'spec.userRef.name' },
      ],
    },
    serving: { served: false },
  });
}

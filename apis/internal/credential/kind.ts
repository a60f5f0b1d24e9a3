import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { resourceName, UID_NAMES } from '../../iam/names.js';

export const CredentialSpec = z
  .strictObject({ hash: z.string().min(1).max(500).describe('As hashPassword made it.') })
  .meta({ id: 'CredentialSpec' });
export type CredentialSpec = z.infer<typeof CredentialSpec>;

/** The password of a user, under the user's name. */
export function credential(environment: KindEnvironment): Kind<CredentialSpec> {
  const users = resourceName('users', environment.domain);
  return defineKind<CredentialSpec>(environment, {
    group: 'internal',
    version: 'v1beta1',
    kind: 'Credential',
    resource: 'credentials',
    singular: 'credential',
    scope: 'Cluster',
    description: 'Credential holds the hash of a password.',
    spec: CredentialSpec,
    names: UID_NAMES,
    references: ({ metadata }) => [{ resource: users, namespace: '', name: metadata.name, field: 'metadata.name' }],
    served: false,
  });
}

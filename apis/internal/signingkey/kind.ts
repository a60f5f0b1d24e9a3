import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { SIGNING_KEYS, SigningKeySpec } from './schema.js';

/** A key with which all servers of an installation sign. Its name is the key id. */
export function signingKey(environment: KindEnvironment): Kind<SigningKeySpec> {
  return defineKind<SigningKeySpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'SigningKey',
      resource: SIGNING_KEYS,
      singular: 'signingkey',
      scope: 'Cluster',
      description: 'SigningKey holds a key pair of the installation.',
      spec: SigningKeySpec,
      names: UID_NAMES,
    },
    serving: { served: false },
  });
}

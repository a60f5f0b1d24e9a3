import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { UID_NAMES } from '../../iam/names.js';

export const SigningKeySpec = z
  .strictObject({
    algorithm: z.string().min(1).max(40),
    /** Encrypted under `security.secret_key`. */
    privateKey: z.string().min(1).max(20_000),
    publicKey: z.string().min(1).max(20_000),
    notAfter: z.iso.datetime().optional(),
  })
  .meta({ id: 'SigningKeySpec' });
export type SigningKeySpec = z.infer<typeof SigningKeySpec>;

/** A key that the servers of an installation sign with; its name is the key id. */
export function signingKey(environment: KindEnvironment): Kind<SigningKeySpec> {
  return defineKind<SigningKeySpec>(environment, {
    group: 'internal',
    version: 'v1beta1',
    kind: 'SigningKey',
    resource: 'signingkeys',
    singular: 'signingkey',
    scope: 'Cluster',
    description: 'SigningKey holds a key pair of the installation.',
    spec: SigningKeySpec,
    names: UID_NAMES,
    served: false,
  });
}

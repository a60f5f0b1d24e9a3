import { z } from 'zod';
import { line, localReference } from '../../../registry/kinds/fields.js';

export const ExternalIdentitySpec = z
  .strictObject({
    userRef: localReference('ExternalIdentityUserRef', 'user'),
    /** The sign-on provider, such as `github`. */
    provider: line(40).min(1, 'must not be empty'),
    /**
     * The origin of the address that told the subject: another server may have given the same subject to somebody else.
     */
    issuer: line(500).min(1, 'must not be empty'),
    /** What the provider calls the account. */
    subject: line(255).min(1, 'must not be empty'),
    /** Whether the provider decided about roles at the last sign-in, and about administrators of the server. */
    syncsRoles: z.boolean(),
    syncsAdministrator: z.boolean(),
  })
  .meta({ id: 'ExternalIdentitySpec' });
export type ExternalIdentitySpec = z.infer<typeof ExternalIdentitySpec>;

/** External identities by user (`[user]`). */
export const BY_USER = 'byUser';

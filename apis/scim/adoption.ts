import { isSameAddress } from '../../pkg/kube/meta/fold.js';
import { notUnique } from '../../pkg/scim/errors.js';
import { hasVerifiedEmail } from '../iam/user/address.js';
import type { Member } from './member.js';
import type { Profile } from './profile.js';

/**
 * Whether SCIM may keep a member: it does so already, or the request names the verified address of the account. People
 * choose their login and their address themselves, so that a client that finds an account by them may have found
 * somebody else's (docs/adr/0068).
 */
export function isProven(
  { user, binding }: Member,
  { login, email }: Pick<Profile, 'login' | 'email'>,
  isAddressSent: boolean,
): boolean {
  if (binding.spec.provisioned === true) return true;
  const { email: stored } = user.spec;
  const isNamed = isAddressSent || isSameAddress(login, email);
  return isNamed && hasVerifiedEmail(user) && isSameAddress(stored, email);
}

export function requireProof(): never {
  throw notUnique(
    'an account that SCIM does not keep has this name, and nobody has verified that it is the same person. If it is, ' +
      'an administrator of the server sets spec.provisioned: true in its OrganizationBinding',
  );
}

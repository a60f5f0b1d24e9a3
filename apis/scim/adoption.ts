import { isSameAddress } from '../../pkg/kube/meta/fold.js';
import { notUnique } from '../../pkg/scim/errors.js';
import type { Resource } from '../../pkg/scim/match.js';
import type { Change } from '../../pkg/scim/patch.js';
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
  sentAddresses: readonly string[],
): boolean {
  if (binding.spec.provisioned === true) return true;
  const { email: stored } = user.spec;
  const isNamed = [login, ...sentAddresses].some((address) => isSameAddress(address, stored));
  return isNamed && hasVerifiedEmail(user) && isSameAddress(stored, email);
}

/** The addresses of a resource as a client sent it. */
export function addressesOf(resource: Resource): readonly string[] {
  const emails = (resource['emails'] ?? []) as readonly Resource[];
  return emails.flatMap(({ value }) => (typeof value === 'string' ? [value.trim()] : []));
}

/** The addresses that a PATCH sets, and not those that it only finds or leaves. */
export function addressesIn(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ op, attribute, sub, value }) => {
    if (attribute.name !== 'emails' || op === 'remove' || value === undefined) return [];
    if (sub !== undefined) return sub.name === 'value' ? [String(value).trim()] : [];
    return addressesOf({ emails: [value].flat() });
  });
}

export function requireProof(): never {
  throw notUnique(
    'an account that SCIM does not keep has this name, and nobody has verified that it is the same person. If it is, ' +
      'an administrator of the server sets spec.provisioned: true in its OrganizationBinding',
  );
}

import { passwordProblem } from '../../pkg/identity/authn/password-policy.js';
import { fold, isSameAddress } from '../../pkg/kube/meta/fold.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { immutable, invalidValue, notUnique, ScimError, TAKEN } from '../../pkg/scim/errors.js';
import type { Resource } from '../../pkg/scim/match.js';
import type { OrganizationBindingSpec } from '../iam/organizationbinding/schema.js';
import { hasVerifiedEmail } from '../iam/user/address.js';
import { isLookAlike } from '../iam/user/look-alike.js';
import { BY_LOGIN, type UserSpec } from '../iam/user/schema.js';
import type { CredentialSpec } from '../internal/credential/schema.js';
import { BY_USER as IDENTITIES_BY_USER } from '../internal/externalidentity/schema.js';
import { isProven, requireProof } from './adoption.js';
import type { ScimCall, Writing } from './call.js';
import { isActive, type Member, memberNamed, writableOf } from './member.js';
import { disown, isOnlyHere, mayEndAccount, owned, refuseForeign, refuseShared } from './ownership.js';
import { hasProfile, type Profile, profileOf, withProfile } from './profile.js';
import { defaultRole, refuseLastAdministrator } from './roles.js';

/** The hash of a password that a request gives; undefined if it gives none. Throws ScimError. */
export async function passwordHash(call: ScimCall, resource: Resource): Promise<string | undefined> {
  const password = resource['password'];
  if (password === undefined) return undefined;
  const { environment, hashing } = call.services;
  const { login, email } = profileOf(call, resource);
  const problem = await passwordProblem(String(password), environment.passwords, [login, email]);
  if (problem !== undefined) throw invalidValue(`password: ${PROBLEMS[problem]}`);
  return hashing.hash(String(password), { of: call.user.uid || call.user.name, first: true });
}

const PROBLEMS = {
  short: 'it is too short (the setting security.min_password_length)',
  long: 'it is too long',
  common: 'it is a common one, or the name of the user',
} as const;

/** Makes a member: a new account, or the membership of an account that the request proves to know. */
export function createMember(
  call: ScimCall,
  writing: Writing,
  newUid: string,
  resource: Resource,
  hash: string | undefined,
): Member {
  const profile = profileOf(call, resource);
  const users = writing.objects<UserSpec>('iam/User');
  const [existing] = users.range({ index: BY_LOGIN, prefix: [fold(profile.login)] });
  const name = existing === undefined ? newUid : joining(call, writing, existing, profile);
  const isDisabled = resource['active'] === false;
  if (existing === undefined) {
    const rest = { disabled: isDisabled, grafanaAdmin: false, emailVerified: true, ...owned(call) };
    unlessTaken(() => users.create({ metadata: { name }, spec: withProfile(rest as UserSpec, profile) }));
  } else if (hash !== undefined) throw immutable('password cannot be set: the account belongs to another organization');
  if (hash !== undefined) putPassword(writing, name, hash);
  const externalUID = externalIdOf(resource);
  writing.objects<OrganizationBindingSpec>('iam/OrganizationBinding').create({
    metadata: { name },
    spec: {
      userRef: { name },
      role: defaultRole(call),
      provisioned: true,
      ...(externalUID !== undefined && { externalUID }),
      ...(existing !== undefined && isDisabled && { suspended: true }),
    },
  });
  return required(memberNamed(writing, name));
}

/**
 * The name of an account of another organization, which becomes a member here, too. As in the legacy API, who adds it
 * must know its verified address. All others are answered as for any name that is taken, and so are accounts with a
 * password: the organization that made one of them may have set it, and would sign in as a member here.
 */
function joining(call: ScimCall, writing: Writing, user: KubeObject<UserSpec>, profile: Profile): string {
  const { name } = user.metadata;
  const isMember = writing.objects('iam/OrganizationBinding').find(name) !== undefined;
  const isKnown = hasVerifiedEmail(user) && isSameAddress(user.spec?.email ?? '', profile.email);
  const hasPassword = writing.objects('internal/Credential').find(name) !== undefined;
  if (isMember || !isKnown || hasPassword || isTerminating(user)) throw notUnique(TAKEN);
  if (!hasProfile(user.spec as UserSpec, profile))
    call.warn('the account belongs to another organization, too, and keeps its name');
  // The membership here may have ended by hand.
  if (!isOnlyHere(call.namespace, writing, name)) disown(call, writing, user);
  return name;
}

/** What a request makes of a member. */
export interface Update {
  readonly resource: Resource;
  readonly hash: string | undefined;
  /** Addresses that the client sent. The resource may have a stored one instead. */
  readonly sentAddresses: readonly string[];
}

/** Changes a member so that it is the resource. What is the same is not written. */
export function updateMember(call: ScimCall, writing: Writing, member: Member, update: Update): Member {
  const { resource, hash, sentAddresses } = update;
  const name = member.user.metadata.name;
  const before = profileOf(call, writableOf(member));
  const profile = profileOf(call, resource);
  const isKept = isProven(member, profile, sentAddresses);
  if (JSON.stringify(profile) !== JSON.stringify(before)) {
    refuseForeign(call, writing, member, 'the profile');
    if (profile.login !== before.login || profile.email !== before.email)
      refuseShared(call, writing, member, 'userName and the e-mail address');
    unlessTaken(() => putUser(call, writing, name, (spec) => withProfile(spec, profile)));
  }
  if (hash !== undefined) {
    refuseForeign(call, writing, member, 'the password');
    refuseShared(call, writing, member, 'the password');
    refuseOfProvider(writing, name);
    putPassword(writing, name, hash);
  }
  const externalUID = externalIdOf(resource);
  const wantsActive = (resource['active'] ?? isActive(member)) !== false;
  const { externalUID: had, suspended, provisioned } = member.binding.spec;
  // Whoever the account belongs to, the organization may always suspend the membership.
  const onlySuspends =
    !wantsActive && hash === undefined && externalUID === had && JSON.stringify(profile) === JSON.stringify(before);
  if (!isKept && !onlySuspends) requireProof();
  const isSuspended = isKept ? activate(call, writing, member, wantsActive) : true;
  if (had !== externalUID || (suspended === true) !== isSuspended || (isKept && provisioned !== true))
    putBinding(writing, name, { externalUID, isSuspended, isKept });
  return required(memberNamed(writing, name));
}

/**
 * Enables or disables. An account that others have, too, stays enabled, and only the membership is suspended. Returns
 * whether it is. The strategy of users ends the sessions in the same commit.
 */
function activate(call: ScimCall, writing: Writing, member: Member, wantsActive: boolean): boolean {
  const { name } = member.user.metadata;
  if (wantsActive === isActive(member)) return member.binding.spec.suspended === true;
  if (wantsActive && member.user.spec.disabled) {
    refuseForeign(call, writing, member, 'active');
    putUser(call, writing, name, (spec) => ({ ...spec, disabled: false }));
  }
  if (wantsActive) return false;
  if (!mayEndAccount(call, writing, member)) return true;
  refuseLastAdministrator(call, writing, member);
  putUser(call, writing, name, (spec) => ({ ...spec, disabled: true }));
  return member.binding.spec.suspended === true;
}

/** Ends the membership, and the account with its last one, if SCIM keeps it. */
export function removeMember(call: ScimCall, writing: Writing, member: Member): void {
  const { name } = member.user.metadata;
  if (member.binding.spec.provisioned === true && mayEndAccount(call, writing, member)) {
    writing.objects('iam/User').delete(name);
    return;
  }
  // Whoever comes back later is no owner of what others have had in the meantime.
  disown(call, writing, member.user);
  writing.objects('iam/OrganizationBinding').delete(name);
}

function putUser(call: ScimCall, writing: Writing, name: string, change: (spec: UserSpec) => UserSpec): void {
  writing
    .objects<UserSpec>('iam/User')
    .update(name, (old) => ({ ...old, spec: { ...change(old.spec as UserSpec), ...owned(call) } }));
}

function putBinding(
  writing: Writing,
  name: string,
  change: { readonly externalUID: string | undefined; readonly isSuspended: boolean; readonly isKept: boolean },
): void {
  const { externalUID, isSuspended, isKept } = change;
  writing.objects<OrganizationBindingSpec>('iam/OrganizationBinding').update(name, (old) => {
    const { userRef, role } = old.spec as OrganizationBindingSpec;
    const spec = {
      userRef,
      role,
      ...(isKept && { provisioned: true }),
      ...(externalUID !== undefined && { externalUID }),
      ...(isSuspended && { suspended: true }),
    };
    return { ...old, spec };
  });
}

/** A name that only looks like that of another account is answered in the same words as one that is taken. */
function unlessTaken(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (error instanceof ApiError && error.details?.causes?.some(isLookAlike)) throw notUnique(TAKEN);
    throw error;
  }
}

/** Who signs in by a provider has no password here. */
function refuseOfProvider(writing: Writing, user: string): void {
  const identities = writing.objects('internal/ExternalIdentity').range({ index: IDENTITIES_BY_USER, prefix: [user] });
  if (identities.next().done !== true) throw immutable('password cannot be set: the person signs in by a provider');
}

function putPassword(writing: Writing, user: string, hash: string): void {
  writing.objects<CredentialSpec>('internal/Credential').put(user, () => ({ hash }));
}

function externalIdOf(resource: Resource): string | undefined {
  const externalId = resource['externalId'];
  return typeof externalId === 'string' && externalId !== '' ? externalId : undefined;
}

function required(member: Member | undefined): Member {
  if (member === undefined) throw new ScimError(404, undefined, 'the user is being deleted');
  return member;
}

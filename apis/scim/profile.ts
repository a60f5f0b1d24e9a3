import { invalidValue } from '../../pkg/scim/errors.js';
import type { Resource } from '../../pkg/scim/match.js';
import type { UserSpec } from '../iam/user/schema.js';
import type { ScimCall } from './call.js';

/** What SCIM says of an account. */
export type Profile = Pick<UserSpec, 'login' | 'email' | 'name'> & {
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
};

interface Email {
  readonly value?: string;
  readonly type?: string;
  readonly primary?: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** A login without an address is its own address, as for all users. */
export function profileOf(call: ScimCall, resource: Resource): Profile {
  const login = text(resource['userName']);
  const { givenName, familyName } = (resource['name'] ?? {}) as Readonly<Record<string, string | undefined>>;
  const parts = [givenName, familyName].map(text).filter((part) => part !== '');
  return {
    login,
    email: emailOf(call, resource) || login,
    name: text(resource['displayName']) || parts.join(' '),
    givenName: text(givenName) || undefined,
    familyName: text(familyName) || undefined,
  };
}

function emailOf(call: ScimCall, resource: Resource): string {
  const emails = ((resource['emails'] ?? []) as readonly Email[]).filter(({ value }) => text(value) !== '');
  if (resource['emails'] !== undefined && emails.length === 0) throw invalidValue('emails: an address has no value');
  const chosen =
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    emails[0];
  if (new Set(emails.map(({ value }) => text(value).toLowerCase())).size > 1)
    call.warn(`ignored emails beside ${chosen?.value}: this server keeps one`);
  const { type = 'work' } = chosen ?? {};
  if (type.toLowerCase() !== 'work') call.warn(`ignored emails.type ${JSON.stringify(type.slice(0, 100))}: it is work`);
  if (chosen?.primary === false) call.warn('ignored emails.primary: the only address is the primary one');
  return text(chosen?.value);
}

/** Whether the stored account has the profile already. */
export function hasProfile(spec: UserSpec, profile: Profile): boolean {
  return (['login', 'email', 'name', 'givenName', 'familyName'] as const).every((key) => spec[key] === profile[key]);
}

/** The spec with the profile. */
export function withProfile(spec: UserSpec, profile: Profile): UserSpec {
  const { givenName: _, familyName: __, ...rest } = spec;
  const { login, email, name, givenName, familyName } = profile;
  return {
    ...rest,
    login,
    email,
    name,
    ...(givenName !== undefined && { givenName }),
    ...(familyName !== undefined && { familyName }),
  };
}

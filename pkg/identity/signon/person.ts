import { withoutHidden } from '../../system/text/look-alike.js';
import { type Claims, isVerified, textClaim } from './claims.js';
import { textAt, texts, textsAt } from './expression.js';
import { SignOnFailure } from './failure.js';
import { type MappedRights, mapRights } from './roles.js';
import type { OAuthSettings } from './settings.js';

/** The person whom a provider has signed in. */
export interface Person {
  /** What the provider calls the account, for as long as it exists. */
  readonly subject: string;
  /** What the provider may have called the same account before, best first. */
  readonly otherSubjects?: readonly string[];
  readonly login: string;
  /** Empty if the provider tells none. */
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly name: string;
  readonly rights: MappedRights;
  /** The groups at the provider. */
  readonly groups: readonly string[];
}

/** What a provider has told, before any setting is applied to it. */
export interface ProviderProfile {
  readonly claims: Claims;
  /** Undefined: the claims have them. */
  readonly groups?: readonly string[];
  /** The teams and organizations at the provider; undefined if it has none, or no setting asks for them. */
  readonly teams?: readonly string[];
  readonly organizations?: readonly string[];
}

const LONGEST_SUBJECT = 255;
const LONGEST_TEXT = 190;
/** Further groups make nobody a member of a team. */
const MOST_GROUPS = 2000;

/** Throws SignOnFailure for accounts that may not sign in, or have no subject. */
export function personOf(settings: OAuthSettings, profile: ProviderProfile): Person {
  const { claims } = profile;
  const groups = profile.groups ?? groupsOf(settings, claims);
  const email = emailOf(settings, claims);
  checkDomain(settings, claims, email);
  checkGroups(settings, { ...profile, groups });
  return {
    subject: subjectOf(claims),
    login: loginOf(settings, claims) || email,
    email,
    isEmailVerified: isVerified(claims, email),
    name: line(nameOf(settings, claims)),
    rights: mapRights(settings, claims, groups),
    groups: groups.slice(0, MOST_GROUPS),
  };
}

/** OpenID Connect calls it `sub`, and providers without it `id`. */
function subjectOf(claims: Claims): string {
  const subject = textClaim(claims, 'sub') || textClaim(claims, 'id');
  if (subject === '') throw new SignOnFailure('provider', 'the claims name nobody');
  return identifier(subject, LONGEST_SUBJECT);
}

function groupsOf({ groupsAttributePath }: OAuthSettings, claims: Claims): readonly string[] {
  return groupsAttributePath === '' ? texts(claims['groups']) : textsAt(groupsAttributePath, claims);
}

function emailOf({ emailAttributePath, emailAttributeName }: OAuthSettings, claims: Claims): string {
  const attributes = claims['attributes'];
  const named = emailAttributeName === '' ? [] : texts((attributes as Claims | undefined)?.[emailAttributeName]);
  const candidates = [
    textClaim(claims, 'email'),
    textAt(emailAttributePath, claims),
    ...named,
    textClaim(claims, 'upn'),
  ];
  return identifier(candidates.find((candidate) => candidate.includes('@')) ?? '');
}

function loginOf({ loginAttributePath }: OAuthSettings, claims: Claims): string {
  const named = ['login', 'username', 'preferred_username'].map((name) => textClaim(claims, name));
  return identifier([textAt(loginAttributePath, claims), ...named].find((candidate) => candidate !== '') ?? '');
}

function nameOf({ nameAttributePath }: OAuthSettings, claims: Claims): string {
  return textAt(nameAttributePath, claims) || textClaim(claims, 'name') || textClaim(claims, 'display_name');
}

/** What identifies a user is never shortened, because the rest could belong to somebody else. */
export function identifier(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest && text === text.trim() && !/\p{Cc}/u.test(text)) return text;
  throw new SignOnFailure(
    'provider',
    'the subject, the login or the e-mail address is too long, or has control characters or white space at an end',
  );
}

/** A name for people, as one line. */
export function line(text: string): string {
  return withoutHidden(text.slice(0, 2 * LONGEST_TEXT))
    .trim()
    .slice(0, LONGEST_TEXT)
    .trim();
}

function checkDomain({ allowedDomains, hostedDomain }: OAuthSettings, claims: Claims, email: string): void {
  if (hostedDomain !== '' && textClaim(claims, 'hd').toLowerCase() !== hostedDomain.toLowerCase()) {
    throw new SignOnFailure('not_allowed', 'the account is not of the hosted domain');
  }
  if (allowedDomains.length === 0) return;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const isKnown = email !== '' && (claims['email_verified'] === undefined || isVerified(claims, email));
  if (!isKnown || !allowedDomains.some((allowedDomain) => allowedDomain.toLowerCase().replace(/^@/, '') === domain)) {
    throw new SignOnFailure('not_allowed', 'the e-mail address is not of an allowed domain, or is not verified');
  }
}

function checkGroups(settings: OAuthSettings, { groups = [], teams = [], organizations = [] }: ProviderProfile): void {
  const { allowedGroups, allowedOrganizations, teamIds } = settings;
  const checks = [
    { what: 'group', allowed: allowedGroups, own: groups },
    { what: 'team', allowed: teamIds, own: teams },
    // Providers that have organizations ignore the case of their names.
    { what: 'organization', allowed: lower(allowedOrganizations), own: lower(organizations) },
  ];
  for (const { what, allowed, own } of checks) {
    const isOf = new Set(own);
    if (allowed.length === 0 || allowed.some((name) => isOf.has(name))) continue;
    throw new SignOnFailure('not_allowed', `the account is in no allowed ${what}`);
  }
}

const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());

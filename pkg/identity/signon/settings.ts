import { z } from 'zod';
import { type SignOnProvider, signOnType } from './keys.js';
import type { Reach } from './reach.js';

/** The kinds of providers by which people sign in through OAuth 2.0 or OpenID Connect. */
export type OAuthType = Exclude<SignOnProvider, 'saml' | 'ldap'>;

/** The type of a provider by its name: `okta` for `okta-west`. Undefined for other names. */
export function oauthType(name: string): OAuthType | undefined {
  const type = signOnType(name);
  return type === 'saml' || type === 'ldap' ? undefined : type;
}

/** Settings come from files and the environment as text, and from callers as JSON. */
export const text = z
  .unknown()
  .transform((value) => (value == null || typeof value === 'object' ? '' : String(value).trim()))
  .prefault('');
export const flag = (otherwise: boolean) =>
  z
    .unknown()
    .transform((value) => (value == null || value === '' ? otherwise : /^(true|1|yes|on)$/i.test(String(value).trim())))
    .prefault(otherwise);
/** A list, a list in JSON, or texts between commas and spaces. */
export const list = z
  .unknown()
  .transform((value): readonly string[] => textsOf(value))
  .prefault('');

export const mappings = z.unknown().transform(mappingsOf).prefault('');

const SEPARATORS = /[\s,]+/;
const AFTER_ENTRY = /[,\n]|(?<=:(?:None|Viewer|Editor|Admin))\s+/i;

/** The entries of orgMapping. They may have spaces in the name of an organization. */
export function mappingsOf(value: unknown): readonly string[] {
  return textsOf(value, AFTER_ENTRY);
}

function textsOf(value: unknown, separator = SEPARATORS): readonly string[] {
  if (Array.isArray(value)) return value.map((entry) => String(entry).trim()).filter((text) => text !== '');
  const plain = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const parts = (): readonly string[] => plain.split(separator).map((part) => part.trim());
  return listed(plain) ?? parts().filter((part) => part !== '');
}

/** The texts of a list in JSON. */
function listed(plain: string): readonly string[] | undefined {
  if (!plain.startsWith('[')) return undefined;
  try {
    return textsOf(JSON.parse(plain));
  } catch {
    return undefined;
  }
}

/** The settings of a provider that signing in depends on. Values without a meaning count as not set. */
export const OAuthSettings = z.object({
  enabled: flag(false),
  name: text,
  clientId: text,
  clientSecret: text,
  clientAuthentication: text,
  authStyle: text,
  workloadIdentityTokenFile: text,
  scopes: list,
  emptyScopes: flag(false),
  authUrl: text,
  tokenUrl: text,
  apiUrl: text,
  teamsUrl: text,
  emailAttributeName: text,
  emailAttributePath: text,
  loginAttributePath: text,
  nameAttributePath: text,
  roleAttributePath: text,
  roleAttributeStrict: flag(false),
  groupsAttributePath: text,
  teamIdsAttributePath: text,
  teamIds: list,
  orgMapping: mappings,
  orgAttributePath: text,
  allowedDomains: list,
  allowedGroups: list,
  allowedOrganizations: list,
  hostedDomain: text,
  validateHd: flag(true),
  allowSignUp: flag(true),
  allowAssignGrafanaAdmin: flag(false),
  skipOrgRoleSync: flag(false),
  usePkce: flag(true),
  loginPrompt: text,
  autoLogin: flag(false),
  signoutRedirectUrl: text,
  tlsClientCert: text,
  tlsClientKey: text,
  tlsClientCa: text,
  tlsSkipVerifyInsecure: flag(false),
});
export type OAuthSettings = z.output<typeof OAuthSettings>;

/** A provider that is on. */
export interface OAuthProvider {
  /** As in paths. There may be several providers of one type. */
  readonly name: string;
  readonly type: OAuthType;
  readonly settings: OAuthSettings;
  readonly reach: Reach;
  /** Why nobody can sign in by it at the moment, for the log. */
  readonly problem?: string;
}

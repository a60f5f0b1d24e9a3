import { type Claims, textClaim } from './claims.js';
import type { ProviderProfile } from './person.js';
import { below, claimsAt, type Get, listAt } from './rest.js';
import type { OAuthSettings } from './settings.js';

/**
 * GitHub has no ID tokens. `api_url` is the account. Its verified e-mail addresses, teams and organizations are at
 * addresses below. A team gives two groups: `@organization/team` and `https://github.com/orgs/organization/teams/team`.
 */
export async function githubProfile(
  { apiUrl, allowedOrganizations }: OAuthSettings,
  get: Get,
): Promise<ProviderProfile> {
  const account = await claimsAt(get, apiUrl);
  const [emails, teams, organizations] = await Promise.all([
    listAt(get, below(apiUrl, 'emails')),
    listAt(get, below(apiUrl, 'teams')),
    allowedOrganizations.length > 0 ? listAt(get, below(apiUrl, 'orgs')) : [],
  ]);
  const groups = teams.flatMap((team) => groupsOf(team));
  const email = primaryOf(emails);
  // GitHub does not say whether the address in the profile is verified.
  const address = email === undefined ? { email_verified: false } : { email, email_verified: true };
  return {
    claims: { ...account, ...address, groups },
    groups,
    teams: teams.map((team) => textClaim(team, 'id')),
    organizations: organizations.map((organization) => textClaim(organization, 'login')),
  };
}

function primaryOf(emails: readonly Claims[]): string | undefined {
  const verified = emails.filter((email) => email['verified'] === true);
  const primary = verified.find((email) => email['primary'] === true) ?? verified[0];
  return primary === undefined ? undefined : textClaim(primary, 'email');
}

function groupsOf(team: Claims): readonly string[] {
  const organization = textClaim((team['organization'] ?? {}) as Claims, 'login');
  const slug = textClaim(team, 'slug');
  if (organization === '' || slug === '') return [];
  return [`@${organization}/${slug}`, `https://github.com/orgs/${organization}/teams/${slug}`];
}

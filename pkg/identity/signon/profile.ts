import { type Claims, mergeClaims, textClaim } from './claims.js';
import type { ProviderFetch } from './client.js';
import { texts, textsAt } from './expression.js';
import { SignOnFailure } from './failure.js';
import type { Tokens } from './flow.js';
import { githubProfile } from './github.js';
import { gitlabProfile, isRestApi, openIdAddress } from './gitlab.js';
import { type Person, type ProviderProfile, personOf } from './person.js';
import { below, claimsAt, type Get, getter, listAt } from './rest.js';
import type { OAuthSettings, OAuthType } from './settings.js';

/**
 * Asks the provider who the person is, and applies the settings to that. Throws SignOnFailure, also for accounts that
 * may not sign in.
 */
export async function askProvider(
  type: OAuthType,
  settings: OAuthSettings,
  { accessToken, claims }: Tokens,
  fetch: ProviderFetch,
): Promise<Person> {
  const get = getter(accessToken, fetch('apiUrl'));
  const getTeams = getter(accessToken, fetch('teamsUrl'));
  const profile = await fetchProfile(type, settings, claims, { get, getTeams });
  return personOf({ ...settings, ...quirks(type, settings, profile.claims) }, profile);
}

/** The readers of the user address with all below it, and of the address of teams. */
interface ProfileReaders {
  readonly get: Get;
  readonly getTeams: Get;
}

function fetchProfile(
  type: OAuthType,
  settings: OAuthSettings,
  token: Claims | undefined,
  readers: ProfileReaders,
): Promise<ProviderProfile> {
  const { get } = readers;
  if (type === 'github') return githubProfile(settings, get);
  const { apiUrl } = settings;
  if (type !== 'gitlab' || !isRestApi(apiUrl)) return generic(settings, token, readers);
  return token === undefined
    ? gitlabProfile(apiUrl, get)
    : generic({ ...settings, apiUrl: openIdAddress(apiUrl) }, token, readers);
}

/**
 * The ID token, then the answer of the user address, and of the addresses of teams and organizations if they are asked
 * for.
 */
async function generic(
  settings: OAuthSettings,
  token: Claims | undefined,
  { get, getTeams }: ProfileReaders,
): Promise<ProviderProfile> {
  const { apiUrl, teamsUrl, teamIdsAttributePath, teamIds, allowedOrganizations } = settings;
  const answer = apiUrl === '' ? {} : await claimsAt(get, apiUrl);
  const claims = ofOnePerson(token, answer);
  const teams = teamIds.length === 0 ? undefined : teamsUrl === '' ? claims : await getTeams(teamsUrl);
  const asksOrganizations = allowedOrganizations.length > 0 && apiUrl !== '';
  const listed = asksOrganizations ? await listAt(get, below(apiUrl, 'orgs')) : [];
  return {
    claims,
    ...(teams !== undefined && { teams: textsAt(teamIdsAttributePath, teams as Claims) }),
    // The last two are for grafana.com and Microsoft.
    organizations: [
      ...listed.map((organization) => textClaim(organization, 'login')),
      ...textsAt('orgs[].login', claims),
      ...texts(claims['tid']),
    ],
  };
}

/** OpenID Connect Core 1.0 §5.3.4: the answer may be of another person, unless it has the subject of the ID token. */
function ofOnePerson(token: Claims | undefined, answer: Claims): Claims {
  if (token === undefined) return answer;
  const subject = textClaim(answer, 'sub') || textClaim(answer, 'id');
  if (subject !== '' && subject !== textClaim(token, 'sub')) {
    throw new SignOnFailure('provider', 'api_url tells of another person than the ID token');
  }
  return mergeClaims(token, answer);
}

/** Settings for claims that only some providers have, where nothing else is set. */
function quirks(
  type: OAuthType,
  { roleAttributePath, emailAttributePath, validateHd }: OAuthSettings,
  claims: Claims,
): Partial<OAuthSettings> {
  if (type === 'grafana_com') return roleAttributePath === '' ? { roleAttributePath: 'role' } : {};
  if (type === 'google') return validateHd ? {} : { hostedDomain: '' };
  if (type !== 'azuread') return {};
  // The roles of the application, if it has any.
  const hasRoles = roleAttributePath === '' && texts(claims['roles']).length > 0;
  return {
    ...(hasRoles && { roleAttributePath: 'roles' }),
    ...(emailAttributePath === '' && { emailAttributePath: 'preferred_username' }),
  };
}

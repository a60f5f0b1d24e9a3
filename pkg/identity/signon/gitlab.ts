import { textClaim } from './claims.js';
import { SignOnFailure } from './failure.js';
import type { ProviderProfile } from './person.js';
import { below, claimsAt, type Get, listAt } from './rest.js';

const REST_API = /\/api\/v\d+\/?$/;

/** Whether `api_url` is GitLab's REST API, as clients set it. */
export const isRestApi = (apiUrl: string): boolean => REST_API.test(apiUrl);

/** The user address of OpenID Connect. The scope `openid` does not allow the REST API. */
export const openIdAddress = (apiUrl: string): string => below(apiUrl.replace(REST_API, ''), 'oauth/userinfo');

/** GitLab's REST API. Groups are named by their full path, as in OpenID Connect. */
export async function gitlabProfile(apiUrl: string, get: Get): Promise<ProviderProfile> {
  const [account, memberships] = await Promise.all([
    claimsAt(get, below(apiUrl, 'user')),
    // Without this parameter, public groups of which the person is not a member are listed, too.
    listAt(get, `${below(apiUrl, 'groups')}?min_access_level=10`),
  ]);
  if (account['state'] !== 'active') throw new SignOnFailure('not_allowed', 'the account at the provider is blocked');
  const groups = memberships.map((group) => textClaim(group, 'full_path')).filter((path) => path !== '');
  return { claims: { ...account, groups }, groups };
}

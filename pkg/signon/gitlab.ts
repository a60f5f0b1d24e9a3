import { type Claims, mergeClaims, textClaim } from './claims.js';
import { SignOnFailure } from './failure.js';
import type { Told } from './person.js';
import { below, claimsAt, type Get, listAt } from './rest.js';

/** GitLab's REST API, with the ID token if there is one. Groups are told by their full path. */
export async function gitlabTells(apiUrl: string, token: Claims | undefined, get: Get): Promise<Told> {
  const [account, memberships] = await Promise.all([
    claimsAt(get, below(apiUrl, 'user')),
    // Without this, public groups are listed, too, whether the person is a member or not.
    listAt(get, `${below(apiUrl, 'groups')}?min_access_level=10`),
  ]);
  if (account['state'] !== 'active') throw new SignOnFailure('not_allowed', 'the account at the provider is blocked');
  const subject = textClaim(account, 'id');
  if (token !== undefined && textClaim(token, 'sub') !== subject) {
    throw new SignOnFailure('provider', 'api_url tells of another account than the ID token');
  }
  const groups = memberships.map((group) => textClaim(group, 'full_path')).filter((path) => path !== '');
  return { claims: { ...mergeClaims(token ?? {}, account), sub: subject, groups }, groups };
}

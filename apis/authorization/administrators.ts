import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { isWidest } from '../../registry/authorization/covered.js';
import { isMaster } from '../../registry/kinds/authorizer.js';
import type { Registry } from '../../registry/kinds/registry.js';

/** What somebody must be able to read everywhere in an organization to learn who has access to what in it. */
const READS = ['org.users:read', 'teams:read', 'teams.permissions:read', 'serviceaccounts:read', 'roles:read'];

/** Whether a caller may ask about the access of others in an organization. Its administrators may. */
export function administersOrganization(registry: Registry, user: UserInfo, namespace: string): boolean {
  if (isMaster(user)) return true;
  const grants = registry.authorizer.grantsOf(user, namespace, registry.reader);
  return READS.every((action) => {
    const scopes = grants.scopesOf(action);
    return scopes !== undefined && (isWidest(scopes, action) || scopes.prefixes.includes('users:'));
  });
}

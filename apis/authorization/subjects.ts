import { AUTHENTICATED_GROUP, MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import { resourceName } from '../../registry/kinds/names.js';
import { objectOf, type Reader } from '../../registry/read/reader.js';
import { SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import { BY_LOGIN, isAdministrator } from '../iam/user/schema.js';

const SERVICE_ACCOUNTS_GROUP = 'system:serviceaccounts';

/**
 * The user whom another caller names, with the uid and groups that the user would have as a caller. Groups that were
 * named too are added.
 */
export function subjectNamed(reader: Reader, domain: string, named: UserInfo): UserInfo {
  if (named.name.startsWith(SERVICE_ACCOUNT_PREFIX)) {
    const [namespace = '', ...rest] = named.name.slice(SERVICE_ACCOUNT_PREFIX.length).split(':');
    const groups = [SERVICE_ACCOUNTS_GROUP, `${SERVICE_ACCOUNTS_GROUP}:${namespace}`, AUTHENTICATED_GROUP];
    return { ...named, uid: rest.join(':'), groups: joined(named.groups, groups) };
  }
  const [entry] = reader.entries(resourceName('iam/users', domain), BY_LOGIN, [fold(named.name)]);
  if (entry === undefined) return named;
  const user = objectOf(entry);
  const groups = [AUTHENTICATED_GROUP, ...(isAdministrator(user) ? [MASTERS_GROUP] : [])];
  return { ...named, uid: user.metadata.name, groups: joined(named.groups, groups) };
}

function joined(groups: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...groups, ...more])];
}

import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { type Grants, grantsOf } from '../../pkg/identity/authz/grants.js';
import type { GrantSource, ResolvedGrants } from '../kinds/authorizer.js';
import type { Reader } from '../read/reader.js';

/**
 * In a transaction, a caller also has the rights from before its first write. So a request of several writes may take
 * rights from its caller and go on: who administers a folder can hand it over. This gives no more than the same writes
 * in another order.
 */
export function withRightsBefore(source: GrantSource): GrantSource {
  // A transaction authorizes before it writes, so what its reader resolves first are the rights before it. Each
  // transaction has its own reader.
  const before = new WeakMap<Reader, Map<UserInfo, ResolvedGrants>>();
  return {
    resolve: (user, reader) => {
      const now = source.resolve(user, reader);
      if (reader.published !== undefined) return now;
      let first = before.get(reader);
      if (first === undefined) {
        first = new Map();
        before.set(reader, first);
      }
      const known = first.get(user);
      if (known === undefined) first.set(user, now);
      return known === undefined || known === now ? now : both(known, now);
    },
  };
}

function both(one: ResolvedGrants, other: ResolvedGrants): ResolvedGrants {
  return {
    grants: (namespace) => union(one.grants(namespace), other.grants(namespace)),
    isMember: (namespace) => one.isMember(namespace) || other.isMember(namespace),
    isCurrent: (reader) => other.isCurrent(reader),
  };
}

function union(one: Grants, other: Grants): Grants {
  return one === other ? one : grantsOf([...one.permissions, ...other.permissions]);
}

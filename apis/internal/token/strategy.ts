import { groupName, type KindEnvironment } from '../../../registry/kind.js';
import type { Strategy } from '../../../registry/strategy.js';
import { checkGift } from '../../authorization/escalation.js';
import { account as accountSubjects, givenTo } from '../../authorization/permissions.js';
import { resourceName } from '../../iam/names.js';
import type { ServiceAccountSpec } from '../../iam/serviceaccount/schema.js';
import type { TokenSpec } from './schema.js';

/** Who holds a token calls as its service account: so nobody issues one for an account that may do more than they. */
export function tokenStrategy({ domain }: KindEnvironment): Strategy<TokenSpec> {
  const accounts = resourceName('serviceaccounts', domain);
  const gr = { group: groupName('iam', domain), resource: 'serviceaccounts' };
  return {
    validate: ({ spec }, old, ctx) => {
      const name = spec?.serviceAccountRef.name ?? '';
      const account = old === undefined ? ctx.reader.get(accounts, ctx.namespace, name) : undefined;
      const { role = 'None' } = (account?.spec ?? {}) as Partial<ServiceAccountSpec>;
      const permissions = account ? givenTo(accountSubjects(name, role), ctx, domain) : [];
      checkGift({ gr, name, permissions }, ctx);
      return [];
    },
  };
}

import { groupName, type KindEnvironment } from '../../../registry/kind.js';
import type { Strategy } from '../../../registry/strategy.js';
import { checkEscalation } from '../../authorization/escalation.js';
import { accountSubjects, permissionsOfSubjects } from '../../authorization/permissions.js';
import { resourceName } from '../../iam/names.js';
import type { ServiceAccountSpec } from '../../iam/serviceaccount/schema.js';
import type { TokenSpec } from './schema.js';

/** The holder of a token acts as its service account. So callers must have all permissions of an account to issue a token for it. */
export function tokenStrategy({ domain }: KindEnvironment): Strategy<TokenSpec> {
  const accounts = resourceName('serviceaccounts', domain);
  const gr = { group: groupName('iam', domain), resource: 'serviceaccounts' };
  return {
    validate: ({ spec }, old, ctx) => {
      const name = spec?.serviceAccountRef.name ?? '';
      const account = old === undefined ? ctx.reader.get(accounts, ctx.namespace, name) : undefined;
      const { role = 'None' } = (account?.spec ?? {}) as Partial<ServiceAccountSpec>;
      const permissions = account ? permissionsOfSubjects(accountSubjects(name, role), ctx, domain) : [];
      checkEscalation({ gr, name, permissions }, ctx);
      return [];
    },
  };
}

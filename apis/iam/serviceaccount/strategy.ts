import { groupName, type KindEnvironment } from '../../../registry/kind.js';
import type { Strategy } from '../../../registry/strategy.js';
import { checkGift } from '../../authorization/escalation.js';
import { account, basicRole, givenTo } from '../../authorization/permissions.js';
import type { ServiceAccountSpec } from './schema.js';

/**
 * Who makes a service account could call as it: so it has no role that gives more than they have. Who enables one again gives back all that it
 * had.
 */
export function serviceAccountStrategy({ domain }: KindEnvironment): Strategy<ServiceAccountSpec> {
  const gr = { group: groupName('iam', domain), resource: 'serviceaccounts' };
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      const { role = 'None', disabled = false } = spec ?? {};
      const isBack = old?.spec?.disabled === true && !disabled;
      const isOther = role !== old?.spec?.role;
      const subjects = isBack ? account(name, role) : isOther ? [basicRole(role)] : [];
      checkGift({ gr, name, permissions: givenTo(subjects, ctx, domain) }, ctx);
      return [];
    },
  };
}

import { groupName, type KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import { ROLE_SETS } from '../access/roles.js';
import { checkGift } from '../iam/giving.js';
import type { ServiceAccountSpec } from './kind.js';

/** Who makes a service account could call as it: so it has no role that gives more than they have. */
export function serviceAccountStrategy({ domain }: KindEnvironment): Strategy<ServiceAccountSpec> {
  const gr = { group: groupName('iam', domain), resource: 'serviceaccounts' };
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      const role = spec?.role ?? 'None';
      checkGift({ gr, name, permissions: role === old?.spec?.role ? [] : (ROLE_SETS[role] ?? []) }, ctx);
      return [];
    },
  };
}

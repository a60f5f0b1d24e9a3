import { groupName, type KindEnvironment } from '../../../registry/kind.js';
import type { Strategy } from '../../../registry/strategy.js';
import { ROLE_SETS } from '../../access/roles.js';
import { checkGift } from '../../iam/giving.js';
import { resourceName } from '../../iam/names.js';
import type { ServiceAccountSpec } from '../../serviceaccount/kind.js';
import type { TokenSpec } from './kind.js';

/** Who holds a token calls as its service account: so nobody issues one for an account whose role gives more than they have. */
export function tokenStrategy({ domain }: KindEnvironment): Strategy<TokenSpec> {
  const accounts = resourceName('serviceaccounts', domain);
  const gr = { group: groupName('iam', domain), resource: 'serviceaccounts' };
  return {
    validate: ({ spec }, old, ctx) => {
      const name = spec?.serviceAccountRef.name ?? '';
      const account = old === undefined ? ctx.view.get(accounts, ctx.namespace, name) : undefined;
      const role = (account?.spec as ServiceAccountSpec | undefined)?.role ?? 'None';
      checkGift({ gr, name, permissions: ROLE_SETS[role] ?? [] }, ctx);
      return [];
    },
  };
}

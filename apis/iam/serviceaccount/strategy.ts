import { groupName } from '../../../registry/kinds/kind.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import { checkEscalation } from '../../authorization/escalation.js';
import { accountSubjects, basicRole, permissionsOfSubjects } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import { memberConsequences } from '../access/member-consequences.js';
import { creatorGrants, ON_SERVICE_ACCOUNT } from '../creator.js';
import type { ServiceAccountSpec } from './schema.js';

/**
 * Callers who create a service account can act as it. So its role must not have permissions that they lack. A caller
 * who enables an account again grants it everything that is bound to it.
 */
export function serviceAccountStrategy(environment: AccessEnvironment): Strategy<ServiceAccountSpec> {
  const { domain } = environment;
  const grants = creatorGrants(domain, ON_SERVICE_ACCOUNT);
  const gr = { group: groupName('iam', domain), resource: 'serviceaccounts' };
  return {
    prepareForCreate: grants.without,
    prepareForUpdate: grants.without,
    alsoCreate: grants.create,
    validate: (account, old, ctx) => {
      const { metadata, spec } = account;
      const { name } = metadata;
      const { role = 'None', disabled = false } = spec ?? {};
      const isBack = old?.spec?.disabled === true && !disabled;
      const isOther = role !== old?.spec?.role;
      const subjects = isBack ? accountSubjects(name, role) : isOther ? [basicRole(role)] : [];
      checkEscalation({ gr, name, permissions: permissionsOfSubjects(subjects, ctx, environment) }, ctx, environment);
      return grants.causes(account);
    },
    *consequences(account, old, ctx) {
      // A new one has the role that its author gives it.
      if (account === undefined || old === undefined) return [];
      const roleOf = (one: typeof account): string | undefined => (one.spec?.disabled ? undefined : one.spec?.role);
      const subject = { kind: 'ServiceAccount', name: account.metadata.name } as const;
      return yield* memberConsequences({ subject, role: roleOf(account), old: roleOf(old) }, ctx, environment);
    },
  };
}

import type { StatusCause } from '../../../pkg/status/status.js';
import { groupName, type KindEnvironment } from '../../../registry/kind.js';
import type { Strategy } from '../../../registry/strategy.js';
import { checkGift } from '../../authorization/escalation.js';
import { givenBesideFolders } from '../../authorization/permissions.js';
import type { TeamBindingSpec } from './schema.js';

/**
 * A binding of others is another binding. Who joins a team gets what is bound to it, so nobody lets anybody in where there is more than they have.
 * What members may do with the team itself is for those to give who may say who they are.
 */
export function teamBindingStrategy({ domain }: KindEnvironment): Strategy<TeamBindingSpec> {
  const gr = { group: groupName('iam', domain), resource: 'teambindings' };
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      if (old === undefined) {
        const team = { kind: 'Team', name: spec?.teamRef.name ?? '' } as const;
        checkGift({ gr, name, permissions: givenBesideFolders([team], ctx, domain) }, ctx);
        return [];
      }
      return (['teamRef', 'userRef'] as const)
        .filter((ref) => spec?.[ref].name !== old.spec?.[ref].name)
        .map((ref): StatusCause => ({ reason: 'FieldValueInvalid', message: IMMUTABLE, field: `spec.${ref}.name` }));
    },
  };
}

const IMMUTABLE = 'Invalid value: field is immutable';

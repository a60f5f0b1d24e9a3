import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName } from '../../../registry/kinds/kind.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import { checkEscalation } from '../../authorization/escalation.js';
import { permissionsOfSubjects } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import type { TeamBindingSpec } from './schema.js';

/**
 * The team and the user of a binding are immutable. A new member gets everything that is bound to the team, so callers
 * must have these permissions themselves. Permissions on the team itself are exempt: callers who may add members may
 * grant these.
 */
export function teamBindingStrategy(environment: AccessEnvironment): Strategy<TeamBindingSpec> {
  const { domain } = environment;
  const gr = { group: groupName('iam', domain), resource: 'teambindings' };
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      if (old === undefined) {
        const team = { kind: 'Team', name: spec?.teamRef.name ?? '' } as const;
        checkEscalation({ gr, name, permissions: permissionsOfSubjects([team], ctx, environment) }, ctx, environment);
        return [];
      }
      return (['teamRef', 'userRef'] as const)
        .filter((ref) => spec?.[ref].name !== old.spec?.[ref].name)
        .map((ref): StatusCause => ({ reason: 'FieldValueInvalid', message: IMMUTABLE, field: `spec.${ref}.name` }));
    },
  };
}

const IMMUTABLE = 'Invalid value: field is immutable';

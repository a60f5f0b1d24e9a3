import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import { isEffective } from '../../../registry/kinds/ready-condition.js';
import type { ObjectChange, Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { checkEscalation } from '../../authorization/escalation.js';
import { permissionsOfSubjects } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import { type MembershipWrite, membershipConsequences } from '../access/member-consequences.js';
import { checkManualChange, checkProvisioner } from '../provisioned.js';
import { permissionsOfRole } from '../team/group-role.js';
import type { TeamSpec } from '../team/schema.js';
import type { TeamBindingSpec } from './schema.js';

/**
 * The team and the user of a binding are immutable. A new member gets everything that is bound to the team, so callers
 * must have these permissions themselves. Permissions on the team itself are exempt: callers who may add members may
 * grant these.
 */
export function teamBindingStrategy(environment: AccessEnvironment): Strategy<TeamBindingSpec> {
  const { domain } = environment;
  const gr = { group: groupName('iam', domain), resource: 'teambindings' };
  const [teams, members] = [resourceName('iam/teams', domain), resourceName('iam/organizationbindings', domain)];
  /** The members of a team that a provisioning system keeps are kept by it, too. */
  const checkMember = ({ metadata: { name }, spec }: KubeObject<TeamBindingSpec>, ctx: WriteContext): void => {
    const team = ctx.reader.get<TeamSpec>(teams, ctx.namespace, spec?.teamRef.name ?? '');
    if (team?.spec?.provisioned === true) checkManualChange({ gr, name }, ctx, environment);
  };
  return {
    validateDelete: (binding, ctx) => {
      const { teamRef, userRef } = binding.spec ?? {};
      const isCascade =
        ctx.isGoing(teams, ctx.namespace, teamRef?.name ?? '') ||
        ctx.isGoing(members, ctx.namespace, userRef?.name ?? '');
      if (!isCascade) checkMember(binding, ctx);
    },
    validate: (binding, old, ctx) => {
      const {
        metadata: { name },
        spec,
      } = binding;
      checkProvisioner({ gr, name }, spec, old?.spec, ['provisioned'], ctx);
      if (old === undefined) {
        checkMember(binding, ctx);
        const team = { kind: 'Team', name: spec?.teamRef.name ?? '' } as const;
        const stored = ctx.reader.get<TeamSpec>(teams, ctx.namespace, team.name)?.spec;
        const permissions = [
          ...permissionsOfSubjects([team], ctx, environment),
          ...(stored === undefined ? [] : permissionsOfRole(stored, ctx, environment)),
        ];
        checkEscalation({ gr, name, permissions }, ctx, environment);
        return [];
      }
      return (['teamRef', 'userRef'] as const)
        .filter((ref) => spec?.[ref].name !== old.spec?.[ref].name)
        .map((ref): StatusCause => ({ reason: 'FieldValueInvalid', message: IMMUTABLE, field: `spec.${ref}.name` }));
    },
    consequencesTogether: (changes, ctx) => membershipConsequences(changes.flatMap(membershipWrite), ctx, environment),
  };
}

/** A binding that waits gives nothing. */
function membershipWrite({ object, old }: ObjectChange<TeamBindingSpec>): readonly MembershipWrite[] {
  const spec = (object ?? old)?.spec;
  const isMember = (one: KubeObject<TeamBindingSpec> | undefined): boolean => one !== undefined && isEffective(one);
  if (spec === undefined) return [];
  return [{ team: spec.teamRef.name, user: spec.userRef.name, was: isMember(old), is: isMember(object) }];
}

const IMMUTABLE = 'Invalid value: field is immutable';

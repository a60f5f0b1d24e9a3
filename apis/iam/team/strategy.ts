import { groupName } from '../../../registry/kinds/kind.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import { checkEscalation } from '../../authorization/escalation.js';
import { actionsOn, permissionsOfSubjects } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import { teamConsequences } from '../access/role-consequences.js';
import { isEnding } from '../ending.js';
import { changesAny, checkManualChange, checkProvisioner, isRelease } from '../provisioned.js';
import { permissionsOfRole } from './group-role.js';
import type { TeamSpec } from './schema.js';

/**
 * The groups of a team decide who becomes a member at the next sign-in. So callers who change them must have the
 * permission to change members and, where they add one, everything that the team has, as for new members.
 */
export function teamStrategy(environment: AccessEnvironment): Strategy<TeamSpec> {
  const { domain } = environment;
  const gr = { group: groupName('iam', domain), resource: 'teams' };
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      if (old?.spec?.provisioned === true && changesAny(spec, old.spec, ['title', 'externalUID', 'provisioned']))
        checkManualChange({ gr, name }, ctx, environment, isRelease(spec, old.spec, ctx));
      checkProvisioner({ gr, name }, spec, old?.spec, ['provisioned', 'externalUID'], ctx);
      if (spec?.provisioned === true && spec.title !== old?.spec?.title) {
        const permissions = permissionsOfRole(spec, ctx, environment);
        checkEscalation({ gr, name, permissions }, ctx, environment);
      }
      const [had, has] = [old?.spec?.groups ?? [], spec?.groups ?? []];
      const isAdded = has.some((group) => !had.includes(group));
      if (!isAdded && has.length === had.length) return [];
      const members = actionsOn(['teams.permissions:write'], `teams:uid:${name}`);
      const given = isAdded ? permissionsOfSubjects([{ kind: 'Team', name }], ctx, environment) : [];
      checkEscalation({ gr, name, permissions: [...members, ...given] }, ctx, environment);
      return [];
    },
    validateDelete: ({ metadata: { name }, spec }, ctx) => {
      if (spec?.provisioned === true && !isEnding(ctx, domain)) checkManualChange({ gr, name }, ctx, environment);
    },
    *consequences(team, old, ctx) {
      if (team !== undefined || old === undefined) return [];
      return yield* teamConsequences(old.metadata.name, ctx, environment);
    },
  };
}

import { MASTERS_GROUP } from '../../../pkg/identity/authn/user.js';
import { forbidden } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName, type Kind } from '../../../registry/kinds/kind.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { accessIn } from '../../authorization/defined.js';
import { checkEscalation, isServerWide } from '../../authorization/escalation.js';
import { meant } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import { roleConsequences } from '../access/role-consequences.js';
import { isEnding } from '../ending.js';
import { DEFAULT_ORGANIZATION } from '../names.js';
import { actionScopes, permissionWarnings } from './permission-warnings.js';
import type { RoleSpec } from './schema.js';

/**
 * Callers may add to a role only permissions that they have. Only server administrators may add actions on the whole
 * server: the administrator of an organization does not administer the server. The same holds for global roles, which
 * other organizations have.
 */
export function roleStrategy(
  environment: AccessEnvironment,
  compiled: () => readonly Kind[] = () => [],
): Strategy<RoleSpec> {
  const { domain } = environment;
  const gr = { group: groupName('iam', domain), resource: 'roles' };
  const refuseGlobal = (name: string, ctx: WriteContext): void => {
    if (ctx.grants() !== undefined)
      throw forbidden(gr, name, 'only server administrators make, change and delete global roles');
  };
  return {
    validateDelete: ({ metadata: { name }, spec }, ctx) => {
      if (spec?.global === true && !isEnding(ctx, domain)) refuseGlobal(name, ctx);
    },
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      if (spec?.global === true || old?.spec?.global === true) refuseGlobal(name, ctx);
      const place = globalCauses(spec, old?.spec, old !== undefined, ctx.namespace);
      if (place.length > 0) return place;
      const had = new Set(old?.spec?.permissions.map(({ action, scope }) => `${action} ${scope}`));
      const isNew = ({ action, scope }: RoleSpec['permissions'][number]): boolean => !had.has(`${action} ${scope}`);
      const permissions = spec?.permissions ?? [];
      const added = meant(permissions.filter(isNew));
      checkEscalation({ gr, name, permissions: added, isOwn: true, refusesServerWide: true }, ctx, environment);
      if (ctx.user.groups.includes(MASTERS_GROUP)) return [];
      return permissions.flatMap((permission, index): readonly StatusCause[] => {
        if (!isServerWide(permission.action) || !isNew(permission)) return [];
        const field = `spec.permissions[${index}].action`;
        return [{ reason: 'FieldValueForbidden', message: `Forbidden: ${WHY}`, field }];
      });
    },
    *consequences(role, old, ctx) {
      const access = accessIn(ctx.reader, environment);
      const warnings = permissionWarnings(role?.spec?.permissions ?? [], actionScopes(compiled(), access));
      // Bindings that have waited for a new role say by themselves what they give.
      if (old?.spec === undefined) return warnings;
      const write = { name: old.metadata.name, spec: role?.spec, old: old.spec };
      return [...warnings, ...(yield* roleConsequences(write, ctx, environment))];
    },
  };
}

/** A role is global from its beginning to its end, because bindings of other organizations may name it. */
function globalCauses(
  spec: RoleSpec | undefined,
  old: RoleSpec | undefined,
  isUpdate: boolean,
  namespace: string,
): readonly StatusCause[] {
  const isGlobal = spec?.global === true;
  const field = 'spec.global';
  if (isUpdate && isGlobal !== (old?.global === true))
    return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${GLOBAL_STAYS}`, field }];
  if (!isGlobal || namespace === DEFAULT_ORGANIZATION) return [];
  const message = `Forbidden: global roles are in the namespace ${DEFAULT_ORGANIZATION}`;
  return [{ reason: 'FieldValueForbidden', message, field }];
}

export const GLOBAL_STAYS = 'cannot be changed. Delete the role, and make it again';

const WHY = 'only server administrators may give actions on users, organizations and settings';

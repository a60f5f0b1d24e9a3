import { MASTERS_GROUP } from '../../../pkg/authn/user.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import { groupName, type KindEnvironment } from '../../../registry/kinds/kind.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import { checkEscalation, isServerWide } from '../../authorization/escalation.js';
import { meant } from '../../authorization/permissions.js';
import type { RoleSpec } from './schema.js';

/**
 * Callers may add to a role only permissions that they have. Only server administrators may add actions on the whole server: the
 * administrator of an organization does not administer the server.
 */
export function roleStrategy({ domain }: KindEnvironment): Strategy<RoleSpec> {
  const gr = { group: groupName('iam', domain), resource: 'roles' };
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      const had = new Set(old?.spec?.permissions.map(({ action, scope }) => `${action} ${scope}`));
      const isNew = ({ action, scope }: RoleSpec['permissions'][number]): boolean => !had.has(`${action} ${scope}`);
      const permissions = spec?.permissions ?? [];
      const added = meant(permissions.filter(isNew));
      checkEscalation({ gr, name, permissions: added, isOwn: true, refusesServerWide: true }, ctx, domain);
      if (ctx.user.groups.includes(MASTERS_GROUP)) return [];
      return permissions.flatMap((permission, index): readonly StatusCause[] => {
        if (!isServerWide(permission.action) || !isNew(permission)) return [];
        const field = `spec.permissions[${index}].action`;
        return [{ reason: 'FieldValueForbidden', message: `Forbidden: ${WHY}`, field }];
      });
    },
  };
}

const WHY = 'only server administrators may give actions on users, organizations and settings';

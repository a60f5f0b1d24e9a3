import { MASTERS_GROUP } from '../../pkg/authn/user.js';
import type { StatusCause } from '../../pkg/status/status.js';
import type { Strategy } from '../../registry/strategy.js';
import { isServerWide } from '../iam/server-actions.js';
import type { RoleSpec } from './kind.js';

/** Who administers an organization does not for that administer the server: only server administrators write roles that reach that far. */
export const roleStrategy: Strategy<RoleSpec> = {
  validate: ({ spec }, old, { user }) => {
    if (user.groups.includes(MASTERS_GROUP)) return [];
    const had = new Set(old?.spec?.permissions.map(({ action, scope }) => `${action} ${scope}`));
    return (spec?.permissions ?? []).flatMap(({ action, scope }, index): readonly StatusCause[] => {
      if (!isServerWide(action) || had.has(`${action} ${scope}`)) return [];
      const field = `spec.permissions[${index}].action`;
      return [{ reason: 'FieldValueForbidden', message: `Forbidden: ${WHY}`, field }];
    });
  },
};

const WHY = 'only server administrators may give actions on users, organizations and settings';

import { type Permission, widestPrefix } from '../../../pkg/identity/authz/grants.js';
import type { BuiltInAccess } from '../../access.js';
import { type LevelRules, ROLES } from './levels.js';

/**
 * The level of people in a whole organization: the highest role whose permissions they have together, and the custom
 * roles that give more than that. A permission without the end at private folders is more than one with it.
 */
export function organizationRules({ roles }: BuiltInAccess): LevelRules {
  const known = new Set(Object.values(roles).flatMap((all) => all.map(({ action }) => action)));
  const meant = (action: string): readonly string[] =>
    action.endsWith('*') ? [...known].filter((one) => one.startsWith(action.slice(0, -1))) : [action];
  const given = (permissions: readonly Permission[]): ReadonlySet<string> =>
    new Set(
      permissions.flatMap(({ action, scope, isBasic }) =>
        meant(action).flatMap((one) => {
          const permission = `${one} ${wideScope(one, scope)}`;
          return isBasic === true ? [permission] : [permission, `${permission}${PRIVATE}`];
        }),
      ),
    );
  const levels = ROLES.toReversed().map((level) => ({ level, all: given(roles[level] ?? []) }));
  return {
    actionsAt: given,
    levelOf: (parts) => {
      const all = new Set(parts.flatMap(({ actions }) => [...actions]));
      const found = levels.find((one) => one.all.size > 0 && [...one.all].every((action) => all.has(action)));
      const usual = new Set([
        ...(found?.all ?? []),
        ...parts.flatMap(({ role, actions }) => (role === undefined ? [...actions] : [])),
      ]);
      const more = parts.flatMap(({ role, actions }) =>
        role !== undefined && [...actions].some((action) => !covers(usual, action)) ? [role] : [],
      );
      return [...(found ? [found.level] : []), ...[...new Set(more)].sort()].join(' and ');
    },
  };
}

/** After a permission that holds also in private folders. */
const PRIVATE = ' private';

/** The scope of everything is that of all objects of the action. */
function wideScope(action: string, scope: string): string {
  return scope === '' || scope === '*' ? `${widestPrefix(action)}*` : scope;
}

/** Whether all objects of an action cover a permission on some. */
function covers(usual: ReadonlySet<string>, permission: string): boolean {
  const [action = ''] = permission.split(' ', 1);
  return usual.has(permission) || usual.has(`${action} ${widestPrefix(action)}*${PRIVATE}`);
}

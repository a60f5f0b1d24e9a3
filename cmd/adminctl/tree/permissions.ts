import { z } from 'zod';
import { LEVELS } from '../../../apis/iam/rolebinding/legacy/place.js';
import {
  type DesiredPermission,
  hasLess,
  higherLevels,
  highest,
  LEVEL_BY_NUMBER,
  NO_LEVELS,
  type RoleLevels,
  rankOf,
  USUAL_LEVELS,
} from '../../../apis/iam/rolebinding/legacy/role-levels.js';
import type { FoundPermissions } from './found.js';
import type { People } from './people.js';
import { problemOf } from './values.js';

const Text = z.string().nullish();

/** One permission in a list, as the legacy API answers it: of folders, or of its access control. */
const Item = z.looseObject({
  userUid: Text,
  userLogin: Text,
  userId: z.number().nullish(),
  isServiceAccount: z.boolean().nullish(),
  teamUid: Text,
  team: Text,
  teamId: z.number().nullish(),
  role: Text,
  builtInRole: Text,
  permission: z.union([z.int(), z.string()]),
  inherited: z.boolean().nullish(),
  isInherited: z.boolean().nullish(),
});
type Item = z.infer<typeof Item>;

/** What a list of permissions says. */
export interface Access {
  /** The bindings that it needs, beside what everybody has by their roles. */
  readonly permissions: readonly DesiredPermission[];
  /** Whether the basic roles have less than they have above. */
  readonly isPrivate: boolean;
  /** What the basic roles have, for what lies in it. */
  readonly levels: RoleLevels;
  /** Who is in the list and cannot have a binding, with the reason. */
  readonly unknown: readonly string[];
}

/** What the basic roles have at the root. */
export const AT_ROOT: RoleLevels = USUAL_LEVELS;

/**
 * What a list of permissions says about an object. `above` is what the basic roles have on what it lies in. Who has
 * less in the list than above loses it: the import must not give anybody more than they had.
 */
export function accessOf(list: FoundPermissions, above: RoleLevels, people: People, teams: Teams): Access {
  const items = list.items.map((item, i) => itemOf(item, `${list.origin}, item ${i + 1}`));
  const all = items.filter((item) => roleOf(item) !== '').map((item) => desired('BasicRole', roleOf(item), item));
  const levels = higherLevels(NO_LEVELS, highest(all));
  const isPrivate = hasLess(levels, above);
  const least = isPrivate ? NO_LEVELS : above;
  const needed = Object.entries(levels).flatMap(([name, level]): readonly DesiredPermission[] =>
    rankOf(level) > rankOf(least[name]) ? [{ subject: { kind: 'BasicRole', name }, level }] : [],
  );
  const others = items
    .filter((item) => roleOf(item) === '' && !isInherited(item))
    .map((item) => subjectOf(item, people, teams));
  const known = others.filter((other) => typeof other !== 'string');
  return {
    permissions: [...needed, ...highest(known)],
    isPrivate,
    levels: isPrivate ? levels : higherLevels(above, highest(all)),
    unknown: others.filter((other) => typeof other === 'string'),
  };
}

/** The names of the teams of the tree, by what other files call them. */
export interface Teams {
  named(team: { readonly uid: string; readonly id: number | undefined; readonly title: string }): string | undefined;
}

function itemOf(value: unknown, origin: string): Item {
  const item = Item.safeParse(value);
  if (!item.success) throw new Error(`${origin}: this is no permission: ${problemOf(item.error)}`);
  if (levelOf(item.data) === undefined)
    throw new Error(`${origin}: ${JSON.stringify(item.data.permission)} is no permission. It is View, Edit or Admin.`);
  return item.data;
}

function levelOf({ permission }: Item): string | undefined {
  const level = typeof permission === 'number' ? LEVEL_BY_NUMBER.get(permission) : permission;
  return level !== undefined && LEVELS.includes(level) ? level : undefined;
}

const roleOf = ({ role, builtInRole }: Item): string => role || builtInRole || '';
const isInherited = ({ inherited, isInherited: is }: Item): boolean => inherited === true || is === true;

function desired(kind: DesiredPermission['subject']['kind'], name: string, item: Item): DesiredPermission {
  return { subject: { kind, name }, level: levelOf(item) ?? '' };
}

/** The subject of a permission, or the reason why it has none. */
function subjectOf(item: Item, people: People, teams: Teams): DesiredPermission | string {
  const { userUid, userLogin, userId, teamUid, team, teamId, isServiceAccount } = item;
  if (isServiceAccount === true)
    return `${userLogin ?? userId} is a service account, and these are not taken from files`;
  if (team || teamUid || teamId) {
    const named = { uid: teamUid ?? '', title: team ?? '' };
    const name = teams.named({ ...named, id: teamId ?? undefined }) ?? people.team(named);
    return name === undefined
      ? `the team ${team || teamUid || teamId}: ${people.unknown}`
      : desired('Team', name, item);
  }
  const name = people.user({ uid: userUid ?? '', title: userLogin ?? '' });
  return name === undefined
    ? `the user ${userLogin || userUid || userId}: ${people.unknown}`
    : desired('User', name, item);
}

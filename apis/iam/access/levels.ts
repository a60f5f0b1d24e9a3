import type { Permission } from '../../../pkg/identity/authz/grants.js';
import type { BuiltInAccess } from '../../access.js';
import { SERVICE_ACCOUNT_SETS } from '../serviceaccount/access.js';
import { appliesAt, type ObjectTarget, ownPrefixes, type Place } from './place.js';

export const LEVELS = ['View', 'Edit', 'Admin'] as const;
/** Those in the whole organization. */
export const ROLES = ['Viewer', 'Editor', 'Admin'] as const;

/** What one thing gives at a place: a basic role, or one binding. */
export interface Part {
  readonly actions: ReadonlySet<string>;
  /** The custom role that gives it. */
  readonly role?: string;
}

/** Tells the level of people at one kind of target. */
export interface LevelRules {
  /** The actions that a permission gives at a place, as far as levels are about them. */
  actionsAt(permissions: readonly Permission[], place: Place): ReadonlySet<string>;
  /**
   * The level of somebody who has all these: the highest one whose actions on the target itself they have together,
   * and the custom roles that give more than that. Empty: no access.
   */
  levelOf(parts: readonly Part[]): string;
}

export function levelRules(target: ObjectTarget, access: BuiltInAccess): LevelRules {
  const sets = { Folder: access.folders, Dashboard: access.dashboards, ServiceAccount: SERVICE_ACCOUNT_SETS }[
    target.kind
  ];
  const known = new Set(LEVELS.flatMap((level) => sets[level] ?? []));
  const prefixes = ownPrefixes(target);
  const isOwn = (action: string): boolean => prefixes.some((prefix) => action.startsWith(prefix));
  const levels = LEVELS.toReversed().flatMap((level) => {
    const own = sets[level]?.filter(isOwn) ?? [];
    return own.length === 0 ? [] : [{ level, own, all: new Set(sets[level]) }];
  });
  const meant = (action: string): readonly string[] => {
    if (!action.endsWith('*')) return known.has(action) ? [action] : [];
    return [...known].filter((one) => one.startsWith(action.slice(0, -1)));
  };
  const levelOf = (parts: readonly Part[]): string => {
    const all = new Set(parts.flatMap(({ actions }) => [...actions]));
    const found = levels.find(({ own }) => own.every((action) => all.has(action)));
    const usual = new Set([...(found?.all ?? []), ...parts.flatMap(({ role, actions }) => (role ? [] : [...actions]))]);
    const more = parts.flatMap(({ role, actions }) =>
      role !== undefined && [...actions].some((action) => !usual.has(action)) ? [role] : [],
    );
    return [...(found ? [found.level] : []), ...[...new Set(more)].sort()].join(' and ');
  };
  /** Many have one part, with the same actions. */
  const single = new WeakMap<ReadonlySet<string>, Map<string, string>>();
  const levelOfOne = (part: Part): string => {
    const byRole = single.get(part.actions) ?? new Map<string, string>();
    single.set(part.actions, byRole);
    const role = part.role ?? '';
    const level = byRole.get(role) ?? levelOf([part]);
    byRole.set(role, level);
    return level;
  };
  return {
    actionsAt: (permissions, place) =>
      new Set(permissions.filter((one) => appliesAt(one, place)).flatMap(({ action }) => meant(action))),
    levelOf: (parts) => {
      const [one] = parts;
      return one !== undefined && parts.length === 1 ? levelOfOne(one) : levelOf(parts);
    },
  };
}

/** Whether one level includes another one. Custom roles have no order. */
export function rankOf(level: string): number {
  const [first = ''] = level.split(' and ', 1);
  return Math.max(...[LEVELS, ROLES].map((levels: readonly string[]) => levels.indexOf(first)));
}

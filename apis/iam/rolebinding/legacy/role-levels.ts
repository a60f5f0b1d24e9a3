import type { BindingSubject } from '../schema.js';
import { LEVELS } from './place.js';

/** The permission that a subject is to have. An empty level is none. */
export interface DesiredPermission {
  readonly subject: BindingSubject;
  readonly level: string;
}

/** A request to change permissions. With `isWhole`, subjects that it does not name lose theirs. */
export interface Changes {
  readonly permissions: readonly DesiredPermission[];
  readonly isWhole: boolean;
}

/** What the basic roles have on every object at the root that is not private (docs/adr/0045). */
export const USUAL_LEVELS: Readonly<Record<string, string>> = { Editor: 'Edit', Viewer: 'View' };

export const USUAL_PERMISSIONS: readonly DesiredPermission[] = Object.entries(USUAL_LEVELS).map(([name, level]) => ({
  subject: { kind: 'BasicRole', name },
  level,
}));

const usualOf = ({ kind, name }: BindingSubject): string | undefined =>
  kind === 'BasicRole' ? USUAL_LEVELS[name] : undefined;

export function hasUsual(subject: BindingSubject): boolean {
  return usualOf(subject) !== undefined;
}

/** Whether the level is no more than what the subject usually has. */
export function isUsual(subject: BindingSubject, level: string): boolean {
  const usual = usualOf(subject);
  return usual !== undefined && rankOf(level) <= rankOf(usual);
}

/** -1 for none. */
export const rankOf = (level = ''): number => LEVELS.indexOf(level);

/** Levels by their numbers in the legacy API: 1, 2 and 4. */
export const LEVEL_BY_NUMBER: ReadonlyMap<number, string> = new Map(LEVELS.map((level, index) => [2 ** index, level]));

/** For each subject the highest permission. */
export function highest(permissions: readonly DesiredPermission[]): readonly DesiredPermission[] {
  const best = new Map<string, DesiredPermission>();
  for (const permission of permissions) {
    const key = `${permission.subject.kind}/${permission.subject.name}`;
    const other = best.get(key);
    if (other === undefined || rankOf(permission.level) > rankOf(other.level)) best.set(key, permission);
  }
  return [...best.values()];
}

/** The level of each basic role. Empty: none. */
export type RoleLevels = Readonly<Record<string, string>>;

export const NO_LEVELS: RoleLevels = Object.fromEntries(Object.keys(USUAL_LEVELS).map((role) => [role, '']));

/** For each role the higher one of two levels: the one that it has, and that of permissions. */
export function higherLevels(levels: RoleLevels, permissions: readonly DesiredPermission[]): RoleLevels {
  return Object.fromEntries(
    Object.entries(levels).map(([role, level]) => [role, higher(level, levelIn(permissions, role))]),
  );
}

function levelIn(permissions: readonly DesiredPermission[], role: string): string | undefined {
  return permissions.find(({ subject }) => subject.kind === 'BasicRole' && subject.name === role)?.level;
}

const higher = (item: string, other = ''): string => (rankOf(other) > rankOf(item) ? other : item);

/** Whether a basic role has less by the levels than by those above. What takes something from it is private. */
export function hasLess(levels: RoleLevels, above: RoleLevels): boolean {
  return Object.keys(USUAL_LEVELS).some((role) => rankOf(levels[role] ?? '') < rankOf(above[role] ?? ''));
}

/**
 * Whether a whole list gives a basic role less than it usually has, or less than it has above the object. The object
 * then becomes private, and stays so wherever it is moved.
 */
export function takesRolesAway(permissions: readonly DesiredPermission[], inherited: RoleLevels): boolean {
  return hasLess(higherLevels(NO_LEVELS, permissions), higherLevels(inherited, USUAL_PERMISSIONS));
}

/**
 * The levels of the basic roles on an object at the root after a change. If one of them has less than usual, the object
 * becomes private, and each level needs a binding. Otherwise, only levels above the usual ones need one, and the others
 * are empty in the result.
 */
export function roleLevels(
  before: { readonly current: readonly DesiredPermission[]; readonly isPrivate: boolean },
  { permissions, isWhole }: Changes,
): { readonly isPrivate: boolean; readonly permissions: readonly DesiredPermission[] } {
  const after = Object.entries(USUAL_LEVELS).map(([name, usual]) => {
    const isIt = ({ subject }: DesiredPermission): boolean => subject.kind === 'BasicRole' && subject.name === name;
    const current = before.current.find(isIt)?.level ?? '';
    const least = before.isPrivate ? '' : usual;
    const had = rankOf(current) > rankOf(least) ? current : least;
    const level = permissions.find(isIt)?.level ?? (isWhole ? '' : had);
    return { subject: { kind: 'BasicRole' as const, name }, level, usual };
  });
  const isPrivate = after.some(({ level, usual }) => rankOf(level) < rankOf(usual));
  const isNeeded = ({ level, usual }: { level: string; usual: string }): boolean => isPrivate || level !== usual;
  return {
    isPrivate,
    permissions: after.map((permission) => ({
      subject: permission.subject,
      level: isNeeded(permission) ? permission.level : '',
    })),
  };
}

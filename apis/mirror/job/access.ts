/** 1: View, 2: Edit, 4: Admin, as the legacy API has them. */
export type Level = number;

/**
 * What users, teams and roles have on a place, by subject: `role:Viewer`, `team:Title`, `user:login`. Administrators of
 * the organization are not in it, because they have everything.
 */
export type Access = ReadonlyMap<string, Level>;

export const LEVELS: Readonly<Record<string, Level>> = { View: 1, Edit: 2, Admin: 4 };
export const VIEWER = 'role:Viewer';
export const EDITOR = 'role:Editor';
const ROLES = [VIEWER, EDITOR];

/** What the basic roles have on a folder or a dashboard at the root that nobody has closed. */
export const USUAL: Access = new Map([
  [VIEWER, 1],
  [EDITOR, 2],
]);
export const NOBODY: Access = new Map();

export function rolesOf(access: Access): Access {
  return new Map([...access].filter(([subject]) => ROLES.includes(subject)));
}

export function withoutRoles(access: Access): Access {
  return new Map([...access].filter(([subject]) => !ROLES.includes(subject)));
}

/** For each subject the higher of two levels. */
export function union(a: Access, b: Access): Access {
  const all = new Map(a);
  for (const [subject, level] of b) all.set(subject, Math.max(level, all.get(subject) ?? 0));
  return all;
}

/** For each subject the lower of two levels. */
export function intersection(a: Access, b: Access): Access {
  const both = [...a].map(([subject, level]): [string, Level] => [subject, Math.min(level, b.get(subject) ?? 0)]);
  return new Map(both.filter(([, level]) => level > 0));
}

/** Whether nobody has more by `a` than by `b`. */
export function isWithin(a: Access, b: Access): boolean {
  return [...a].every(([subject, level]) => level <= (b.get(subject) ?? 0));
}

export function isSame(a: Access, b: Access): boolean {
  return isWithin(a, b) && isWithin(b, a);
}

/** In one form for the same access, for what is remembered. */
export function textOf(access: Access): string {
  return JSON.stringify([...access].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function accessIn(text: string): Access {
  return new Map(JSON.parse(text) as [string, Level][]);
}

import { z } from 'zod';
import { ON_DASHBOARD, ON_FOLDER } from '../../../apis/iam/creator.js';
import {
  type DesiredPermission,
  hasLess,
  higherLevels,
  highest,
  isUsual,
  LEVEL_BY_NUMBER,
  NO_LEVELS,
  type RoleLevels,
  rankOf,
} from '../../../apis/iam/rolebinding/legacy/role-levels.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { granting } from './granting.js';
import { type Move, storing, taking } from './move.js';
import type { People, Subject } from './people.js';
import { BINDINGS } from './resources.js';

const Item = z.object({
  userId: z.number().optional(),
  userUid: z.string().optional(),
  userLogin: z.string().optional(),
  teamId: z.number().optional(),
  teamUid: z.string().optional(),
  role: z.string().nullish(),
  permission: z.number(),
  inherited: z.boolean().default(false),
});
type Item = z.infer<typeof Item>;

export interface Grant {
  readonly subject: Subject;
  readonly level: string;
}

/** Who may use an object: who its list names, what the basic roles have, and whether it takes something from these. */
export interface Access {
  readonly grants: readonly Grant[];
  readonly levels: RoleLevels;
  readonly isPrivate: boolean;
}

/** Nobody but administrators, for an object whose list cannot be read. */
export const CLOSED: Access = { grants: [], levels: NO_LEVELS, isPrivate: true };

/** What there is to know of a list beside its items. */
export interface ListContext {
  readonly people: People;
  readonly teams: People;
  /** What the basic roles have on the folder of the object, or at the root. */
  readonly above: RoleLevels;
  readonly isAtRoot: boolean;
  /** Told of an item whose subject is not here. */
  readonly onUnknown: (item: string) => void;
}

export const AccessList = z.array(Item);

/** Reads a list of permissions of the source, which has those of the folders above, too. */
export function accessOf(items: readonly Item[], { people, teams, above, isAtRoot, onUnknown }: ListContext): Access {
  const levels = higherLevels(NO_LEVELS, highest(ofRoles(items)));
  const isPrivate = hasLess(levels, above);
  const isNeeded = ({ role }: Item, level: string): boolean =>
    !isAtRoot || isPrivate || !role || !isUsual({ kind: 'BasicRole', name: role }, level);
  const grants = items.flatMap((item): readonly Grant[] => {
    const level = LEVEL_BY_NUMBER.get(item.permission);
    if (level === undefined || item.inherited || !isNeeded(item, level)) return [];
    const subject = subjectOf(item, people, teams);
    if (subject === undefined) onUnknown(describe(item));
    return subject === undefined ? [] : [{ subject, level }];
  });
  return { grants, levels, isPrivate };
}

/** What a list gives to roles. */
function ofRoles(items: readonly Item[]): readonly DesiredPermission[] {
  return items.flatMap(({ role, permission }) => {
    const level = LEVEL_BY_NUMBER.get(permission);
    return role && level !== undefined ? [{ subject: { kind: 'BasicRole' as const, name: role }, level }] : [];
  });
}

const ROLES: readonly string[] = ['Viewer', 'Editor', 'Admin'];

function subjectOf(item: Item, people: People, teams: People): Subject | undefined {
  const { role, teamId, teamUid, userId, userUid, userLogin } = item;
  if (role) return ROLES.includes(role) ? { kind: 'BasicRole', name: role } : undefined;
  if (teamId || teamUid) return teams.find({ id: teamId, uid: teamUid });
  return people.find({ id: userId, uid: userUid, login: userLogin });
}

function describe({ role, teamUid, teamId, userLogin, userUid, userId }: Item): string {
  if (role) return `the role ${role}`;
  return teamUid || teamId ? `the team ${teamUid || teamId}` : `the user ${userLogin || userUid || userId}`;
}

/** The permissions here, by the object that they are on. */
export type Present = ReadonlyMap<string, readonly Binding[]>;
interface Binding {
  readonly name: string;
  readonly subject: string;
  readonly level: string;
}
export type On = 'folder' | 'dashboard';

export async function permissionsHere({ target, namespace }: Move): Promise<Present> {
  const found = new Map<string, Binding[]>();
  if (target.isPlanned(namespace)) return found;
  for await (const object of target.list(BINDINGS, namespace)) {
    const { subject, roleRef, scope = {} } = (object as KubeObject<BindingSpec>).spec ?? NO_SPEC;
    const [on] = Object.entries(scope);
    if (on === undefined || roleRef.kind !== 'BuiltIn') continue;
    const key = on.join('/');
    const binding = { name: object.metadata.name, subject: keyOf(subject), level: roleRef.name };
    found.set(key, [...(found.get(key) ?? []), binding]);
  }
  return found;
}

interface BindingSpec {
  readonly subject: Subject;
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly scope?: Readonly<Record<string, string>>;
}
const NO_SPEC: BindingSpec = { subject: { kind: 'User', name: '' }, roleRef: { kind: '', name: '' } };

const keyOf = ({ kind, name }: Subject): string => `${kind}/${name}`;

/** Takes away what the source does not give. This comes before all else about the object. */
export async function narrow(move: Move, on: On, name: string, here: Present, { grants }: Access): Promise<void> {
  const wanted = new Map(grants.map((grant) => [keyOf(grant.subject), grant]));
  for (const binding of here.get(`${on}/${name}`) ?? []) {
    const grant = wanted.get(binding.subject);
    wanted.delete(binding.subject);
    if (grant === undefined) {
      await move.target.remove(BINDINGS, move.namespace, binding.name);
      move.report.count(BINDINGS.plural, 'removed');
    } else if (rankOf(grant.level) < rankOf(binding.level))
      await storing(move, BINDINGS, { name: binding.name, spec: specOf(on, name, grant) });
  }
}

/** Whether the source gives more than is given here. */
export function isWider(on: On, name: string, here: Present, { grants }: Access): boolean {
  const levels = new Map((here.get(`${on}/${name}`) ?? []).map(({ subject, level }) => [subject, level]));
  return grants.some(({ subject, level }) => rankOf(level) > rankOf(levels.get(keyOf(subject))));
}

const specOf = (on: On, name: string, { subject, level }: Grant) => ({
  subject,
  roleRef: { kind: 'BuiltIn', name: level },
  scope: { [on]: name },
});

/** Gives what the source gives. */
export async function widen(move: Move, on: On, name: string, here: Present, { grants }: Access): Promise<void> {
  const { bindingName } = on === 'folder' ? ON_FOLDER : ON_DASHBOARD;
  const present = new Map((here.get(`${on}/${name}`) ?? []).toReversed().map((binding) => [binding.subject, binding]));
  for (const grant of grants) {
    const { subject } = grant;
    const binding = present.get(keyOf(subject))?.name ?? bindingName(name, subject);
    const spec = specOf(on, name, grant);
    await taking(move, BINDINGS.plural, binding, () => granting(move, BINDINGS, { name: binding, spec }, subject));
  }
}

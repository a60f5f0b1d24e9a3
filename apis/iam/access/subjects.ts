import type { Permission } from '../../../pkg/identity/authz/grants.js';
import { accessIn } from '../../authorization/defined.js';
import { boundPermissions, permissionsOfBinding, rolePermissions } from '../../authorization/permissions.js';
import { type BindingSubject, type RoleBindingSpec, roleNamespace } from '../rolebinding/schema.js';
import { bindingsAt, type NamedBinding, subjectKey, type WrittenBindings } from './bindings.js';
import { type LevelRules, levelRules, type Part, ROLES } from './levels.js';
import { organizationRules } from './organization-levels.js';
import type { AccessContext, Place } from './place.js';

/** What one binding gives at a place, or a basic role without one. */
export interface BoundPart extends Part {
  readonly binding: NamedBinding | undefined;
}

/** Who has what at one place. */
export interface PlaceAccess {
  readonly rules: LevelRules;
  /** What a subject has there by itself. A person has what all of their subjects have. */
  partsOf(subject: BindingSubject): readonly BoundPart[];
  /** Everybody who may have something there: by a binding on the place or without a scope, and the basic roles. */
  subjects(): readonly BindingSubject[];
}

/** `written` stands for the bindings, and the role, of the same names. */
export function accessAt(place: Place, context: AccessContext, written?: WrittenBindings): PlaceAccess {
  const { reader, environment } = context;
  const access = accessIn(reader, environment);
  const { target } = place;
  const rules = target.kind === 'Organization' ? organizationRules(access) : levelRules(target, access);
  const known = new Map<string, readonly BoundPart[]>();
  const bindings = bindingsAt(place, context, written);
  /** By the role, the place, and whether it ends at private folders, because many bindings have the same. */
  const actions = new Map<string, ReadonlySet<string>>();
  const permissionsOf = (binding: RoleBindingSpec): readonly Permission[] => {
    const { kind, name } = binding.roleRef;
    const { role } = written ?? {};
    const isWritten =
      role !== undefined &&
      kind !== 'BuiltIn' &&
      name === role.name &&
      roleNamespace(binding.roleRef, context.namespace) === role.namespace;
    return isWritten
      ? boundPermissions(binding, role.spec, access)
      : permissionsOfBinding(binding, context, environment);
  };
  const actionsOf = ({ roleRef, scope, subject }: RoleBindingSpec): ReadonlySet<string> => {
    const key = JSON.stringify([roleRef, scope, subject.kind === 'BasicRole' ? subject.name : '']);
    const found =
      actions.get(key) ?? rules.actionsAt(permissionsOf({ roleRef, subject, ...(scope && { scope }) }), place);
    actions.set(key, found);
    return found;
  };
  const given = (subject: BindingSubject): readonly BoundPart[] => {
    const bound = bindings.of(subject).map((binding): BoundPart => {
      const { roleRef } = binding.spec;
      return { actions: actionsOf(binding.spec), binding, ...(roleRef.kind !== 'BuiltIn' && { role: roleRef.name }) };
    });
    const isRole = subject.kind === 'BasicRole';
    const own = isRole ? rules.actionsAt(rolePermissions(subject.name, access), place) : new Set<string>();
    return [{ actions: own, binding: undefined }, ...bound].filter(({ actions }) => actions.size > 0);
  };
  const partsOf = (subject: BindingSubject): readonly BoundPart[] => {
    const parts = known.get(subjectKey(subject)) ?? given(subject);
    known.set(subjectKey(subject), parts);
    return parts;
  };
  return {
    rules,
    partsOf,
    subjects: () => {
      const roles = ROLES.map((role): BindingSubject => ({ kind: 'BasicRole', name: role }));
      return distinct([...roles, ...bindings.all().map(({ spec }) => spec.subject)]);
    },
  };
}

/** Whether people are behind a subject, and not one account. */
export const isGroup = ({ kind }: BindingSubject): boolean => kind === 'Team' || kind === 'BasicRole';

/** What somebody has at a place who has all that these subjects have. */
export function levelBy(subjects: readonly BindingSubject[], { rules, partsOf }: PlaceAccess): string {
  return rules.levelOf(subjects.flatMap(partsOf));
}

/** The levels before and after. If a role has another content, the same level may mean other permissions. */
export function levelsBy(
  subjects: readonly BindingSubject[],
  before: PlaceAccess,
  after: PlaceAccess,
): readonly [from: string, to: string] {
  const [from, to] = [levelBy(subjects, before), levelBy(subjects, after)];
  if (from !== to || from === '') return [from, to];
  const actionsIn = ({ partsOf }: PlaceAccess) =>
    new Set(subjects.flatMap(partsOf).flatMap(({ actions }) => [...actions]));
  const [had, has] = [actionsIn(before), actionsIn(after)];
  const [more, fewer] = [[...has].some((one) => !had.has(one)), [...had].some((one) => !has.has(one))];
  if (!more && !fewer) return [from, to];
  return [from, `${to} with ${more && fewer ? 'other' : more ? 'more' : 'fewer'} permissions`];
}

/** Each subject once, in the same order. */
export function distinct(subjects: readonly BindingSubject[]): readonly BindingSubject[] {
  return [...new Map(subjects.map((one) => [subjectKey(one), one])).values()];
}

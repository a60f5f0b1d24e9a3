import { resourceName } from '../../../registry/kinds/names.js';
import { isEntryEffective } from '../../../registry/kinds/ready-condition.js';
import { type Entry, nameOf, objectOf } from '../../../registry/read/reader.js';
import { accessIn } from '../../authorization/defined.js';
import { permissionsOfBinding, rolePermissions } from '../../authorization/permissions.js';
import {
  type BindingSubject,
  BY_DASHBOARD,
  BY_FOLDER,
  BY_ORGANIZATION,
  BY_SERVICE_ACCOUNT,
  BY_SUBJECT,
  type RoleBindingSpec,
} from '../rolebinding/schema.js';
import { type LevelRules, levelRules, type Part } from './levels.js';
import type { AccessContext, Place } from './place.js';

/** The most bindings that are looked at: of one subject, on one object, and without a scope. */
const MOST_BINDINGS = 1000;

export const BASIC_ROLES = ['Viewer', 'Editor', 'Admin'] as const;

/** A binding, which need not be stored yet. */
export interface NamedBinding {
  readonly name: string;
  readonly spec: RoleBindingSpec;
}

/** What one binding gives at a place, or a basic role without one. */
export interface BoundPart extends Part {
  readonly binding: NamedBinding | undefined;
}

/** A write of a binding, as if it had happened. */
export interface BindingChange {
  readonly removed?: string | undefined;
  readonly added?: NamedBinding | undefined;
}

/** Who has what at one place. */
export interface PlaceAccess {
  readonly rules: LevelRules;
  /** What a subject has there by itself. A person has what all of their subjects have. */
  partsOf(subject: BindingSubject): readonly BoundPart[];
  /** Everybody who may have something there: by a binding on the place or without a scope, and the basic roles. */
  readonly subjects: readonly BindingSubject[];
}

export const subjectKey = ({ kind, name }: BindingSubject): string => `${kind}/${name}`;

export function accessAt(place: Place, context: AccessContext, change: BindingChange = {}): PlaceAccess {
  const { reader, namespace, environment } = context;
  const access = accessIn(reader, environment);
  const rules = levelRules(place.target, access);
  const resource = resourceName('iam/rolebindings', environment.domain);
  const known = new Map<string, readonly BoundPart[]>();
  const bindings = (index: string, prefix: readonly string[]): readonly NamedBinding[] =>
    reader
      .entries(resource, index, [namespace, ...prefix], MOST_BINDINGS)
      .filter((entry) => isEntryEffective(entry) && nameOf(entry) !== change.removed)
      .map(bindingIn);
  const added = (of: (spec: RoleBindingSpec) => boolean): readonly NamedBinding[] =>
    change.added !== undefined && of(change.added.spec) ? [change.added] : [];
  const given = (subject: BindingSubject): readonly BoundPart[] => {
    const isOf = (spec: RoleBindingSpec): boolean => subjectKey(spec.subject) === subjectKey(subject);
    const bound = [...bindings(BY_SUBJECT, [subject.kind, subject.name]), ...added(isOf)].map((binding): BoundPart => {
      const { roleRef } = binding.spec;
      const actions = rules.actionsAt(permissionsOfBinding(binding.spec, context, environment), place);
      return { actions, binding, ...(roleRef.kind !== 'BuiltIn' && { role: roleRef.name }) };
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
  const on = (index: string, names: readonly string[]): readonly NamedBinding[] =>
    names.flatMap((name) => bindings(index, [name]));
  const { kind, name } = place.target;
  const folders = place.steps.flatMap(({ folder }) => folder ?? []);
  const all = [
    ...on(BY_FOLDER, folders),
    ...(kind === 'Dashboard' ? on(BY_DASHBOARD, [name]) : []),
    ...(kind === 'ServiceAccount' ? on(BY_SERVICE_ACCOUNT, [name]) : []),
    ...bindings(BY_ORGANIZATION, []),
    ...added(() => true),
  ];
  const subjects = [
    ...BASIC_ROLES.map((role): BindingSubject => ({ kind: 'BasicRole', name: role })),
    ...all.map(({ spec }) => spec.subject),
  ];
  return { rules, partsOf, subjects: distinct(subjects) };
}

function bindingIn(entry: Entry): NamedBinding {
  return { name: nameOf(entry), spec: objectOf<RoleBindingSpec>(entry).spec as RoleBindingSpec };
}

/** Each subject once, in the same order. */
export function distinct(subjects: readonly BindingSubject[]): readonly BindingSubject[] {
  return [...new Map(subjects.map((one) => [subjectKey(one), one])).values()];
}

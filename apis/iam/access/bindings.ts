import { resourceName } from '../../../registry/kinds/names.js';
import { isEntryEffective } from '../../../registry/kinds/ready-condition.js';
import { type Entry, nameOf, objectOf } from '../../../registry/read/reader.js';
import type { RoleSpec } from '../role/schema.js';
import {
  type BindingSubject,
  BY_DASHBOARD,
  BY_FOLDER,
  BY_ORGANIZATION,
  BY_SERVICE_ACCOUNT,
  BY_SUBJECT,
  type RoleBindingSpec,
} from '../rolebinding/schema.js';
import type { AccessContext, Place } from './place.js';

/** The most bindings that are looked at: of one subject, on one object, and without a scope. */
const MOST_BINDINGS = 1000;

/** A binding, which need not be stored yet. */
export interface NamedBinding {
  readonly name: string;
  readonly spec: RoleBindingSpec;
}

/** A custom role before or after a write, whatever is stored under its name. */
export interface WrittenRole {
  readonly namespace: string;
  readonly name: string;
  readonly spec: RoleSpec;
}

/** Bindings before or after a write, whatever is stored under their names. */
export interface WrittenBindings {
  readonly names: ReadonlySet<string>;
  readonly bindings: readonly NamedBinding[];
  readonly role?: WrittenRole;
}

/** The bindings that hold at a place, or may: those on it, and those without a scope. */
export interface PlaceBindings {
  of(subject: BindingSubject): readonly NamedBinding[];
  all(): readonly NamedBinding[];
}

export const subjectKey = ({ kind, name }: BindingSubject): string => `${kind}/${name}`;

/** Whether a binding is on a place, on a folder above it, or without a scope. */
export function isAt({ scope = {} }: Pick<RoleBindingSpec, 'scope'>, { target, steps }: Place): boolean {
  if (scope.folder !== undefined) return steps.some(({ folder }) => folder === scope.folder);
  if (scope.dashboard !== undefined) return target.kind === 'Dashboard' && target.name === scope.dashboard;
  if (scope.serviceAccount === undefined) return true;
  return target.kind === 'ServiceAccount' && target.name === scope.serviceAccount;
}

export function bindingsAt(place: Place, context: AccessContext, written?: WrittenBindings): PlaceBindings {
  const { target, steps } = place;
  const folders = new Set(steps.flatMap(({ folder }) => folder ?? []));
  const found = (index: string, prefix: readonly string[]): readonly Entry[] => entriesIn(context, index, prefix);
  /** The folder of a binding is its container, so most that are elsewhere need not be parsed. */
  const isElsewhere = ({ attributes: { container } }: Entry): boolean =>
    container !== undefined && !folders.has(container);
  const isHere = ({ spec }: NamedBinding): boolean => isAt(spec, place);
  const isWritten = (entry: Entry): boolean => written?.names.has(nameOf(entry)) === true;
  const applying = (entries: readonly Entry[]): readonly NamedBinding[] =>
    entries
      .filter((entry) => !isElsewhere(entry) && isEntryEffective(entry) && !isWritten(entry))
      .map(bindingIn)
      .filter(isHere);
  const on = (): readonly Entry[] => [
    ...[...folders].flatMap((folder) => found(BY_FOLDER, [folder])),
    ...(target.kind === 'Dashboard' ? found(BY_DASHBOARD, [target.name]) : []),
    ...(target.kind === 'ServiceAccount' ? found(BY_SERVICE_ACCOUNT, [target.name]) : []),
  ];
  const added = written?.bindings.filter(isHere) ?? [];
  let read: readonly NamedBinding[] | undefined;
  /** Those of each subject, if all bindings of the place were read, and are no more than are looked at. */
  let grouped: ReadonlyMap<string, readonly NamedBinding[]> | undefined;
  const all = (): readonly NamedBinding[] => {
    if (read !== undefined) return read;
    const entries = [...on(), ...found(BY_ORGANIZATION, [])];
    read = [...applying(entries), ...added];
    if (entries.length < MOST_BINDINGS) grouped = bySubject(read);
    return read;
  };
  return {
    all,
    of: (subject) => {
      if (grouped !== undefined) return grouped.get(subjectKey(subject)) ?? [];
      const isOf = ({ spec }: NamedBinding): boolean => subjectKey(spec.subject) === subjectKey(subject);
      const own = found(BY_SUBJECT, [subject.kind, subject.name]);
      const some = [...applying(own), ...added.filter(isOf)];
      // Those of somebody with very many may be further back. The place has fewer.
      return own.length < MOST_BINDINGS ? some : distinctByName([...some, ...all().filter(isOf)]);
    },
  };
}

function entriesIn(
  { reader, namespace, environment }: AccessContext,
  index: string,
  prefix: readonly string[],
): readonly Entry[] {
  return reader.entries(
    resourceName('iam/rolebindings', environment.domain),
    index,
    [namespace, ...prefix],
    MOST_BINDINGS,
  );
}

function bindingIn(entry: Entry): NamedBinding {
  return { name: nameOf(entry), spec: objectOf<RoleBindingSpec>(entry).spec as RoleBindingSpec };
}

function bySubject(bindings: readonly NamedBinding[]): ReadonlyMap<string, readonly NamedBinding[]> {
  const grouped = new Map<string, NamedBinding[]>();
  for (const binding of bindings) {
    const key = subjectKey(binding.spec.subject);
    const own = grouped.get(key) ?? [];
    own.push(binding);
    grouped.set(key, own);
  }
  return grouped;
}

function distinctByName(bindings: readonly NamedBinding[]): readonly NamedBinding[] {
  return [...new Map(bindings.map((one) => [one.name, one])).values()];
}

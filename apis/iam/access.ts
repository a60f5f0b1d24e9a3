import { resourceName } from '../../registry/kinds/names.js';
import { isEffective } from '../../registry/kinds/ready-condition.js';
import type { WriteContext } from '../../registry/kinds/strategy.js';
import type { Reader } from '../../registry/read/reader.js';
import {
  type BindingSubject,
  BY_DASHBOARD,
  BY_FOLDER,
  BY_SERVICE_ACCOUNT,
  type RoleBindingSpec,
} from './rolebinding/schema.js';

/** What somebody has on an object. */
export interface Access {
  /** Absent: somebody by a binding that the caller may not view. */
  readonly subject: BindingSubject | undefined;
  /** `View`, `Edit`, `Admin`, or the name of a custom role. */
  readonly role: string;
  /** The folder or dashboard that it is given on; empty for what the basic roles have everywhere. */
  readonly on: string;
}

export interface AccessReader {
  readonly reader: Reader;
  readonly namespace: string;
  readonly domain: string;
  /** Reads what the caller may view. Absent: the caller may view all bindings. */
  readonly visible?: WriteContext['visible'];
}

/** What a binding can be on. */
export interface AccessTarget {
  readonly kind: 'Folder' | 'Dashboard' | 'ServiceAccount';
  readonly name: string;
}

const INDEXES = { Folder: BY_FOLDER, Dashboard: BY_DASHBOARD, ServiceAccount: BY_SERVICE_ACCOUNT } as const;

/** The most bindings of one object that are looked at. */
const MOST_BINDINGS = 1000;

/** What the bindings on one object give. */
export function accessOn(
  { kind, name }: AccessTarget,
  { reader, namespace, domain, visible }: AccessReader,
): readonly Access[] {
  const resource = resourceName('iam/rolebindings', domain);
  return reader
    .range<RoleBindingSpec>(resource, INDEXES[kind], [namespace, name], MOST_BINDINGS)
    .flatMap((binding): readonly Access[] => {
      if (binding.spec === undefined || !isEffective(binding)) return [];
      const access = accessBy(binding.spec, name);
      const isVisible = visible === undefined || visible(resource, namespace, binding.metadata.name) !== undefined;
      return [
        isVisible ? access : { ...access, subject: undefined, role: LEVELS.includes(access.role) ? access.role : '' },
      ];
    });
}

export function accessBy({ subject, roleRef }: RoleBindingSpec, on: string): Access {
  return { subject, role: roleRef.name, on };
}

/**
 * Who gains and who loses access to an object by a new binding, a change or a deletion. Access by folders above does
 * not count, nor what the basic roles usually have everywhere.
 */
export function bindingConsequences(
  binding: RoleBindingSpec | undefined,
  old: RoleBindingSpec | undefined,
  access: AccessReader,
): readonly string[] {
  const [place, former] = [placeOf(binding), placeOf(old)];
  const isSame = place?.kind === former?.kind && place?.name === former?.name;
  const places = [place, isSame ? undefined : former].filter((item) => item !== undefined);
  return places.flatMap((place) => {
    const before = accessOn(place, access);
    const grantedAccess = (spec: RoleBindingSpec | undefined): readonly Access[] =>
      spec !== undefined && placeOf(spec)?.name === place.name && !isUsual(spec) ? [accessBy(spec, place.name)] : [];
    return accessChanges(shown(place), before, [...without(before, grantedAccess(old)[0]), ...grantedAccess(binding)]);
  });
}

function isUsual({ subject, roleRef, scope }: RoleBindingSpec): boolean {
  if (subject.kind !== 'BasicRole' || scope?.serviceAccount !== undefined) return false;
  return roleRef.name === 'View' || (subject.name === 'Editor' && roleRef.name === 'Edit');
}

function placeOf(spec: RoleBindingSpec | undefined): AccessTarget | undefined {
  const { folder, dashboard, serviceAccount } = spec?.scope ?? {};
  if (folder !== undefined) return { kind: 'Folder', name: folder };
  if (serviceAccount !== undefined) return { kind: 'ServiceAccount', name: serviceAccount };
  return dashboard === undefined ? undefined : { kind: 'Dashboard', name: dashboard };
}

const WORDS = { Folder: 'folder', Dashboard: 'dashboard', ServiceAccount: 'service account' } as const;

export function shown({ kind, name }: AccessTarget): string {
  return `the ${WORDS[kind]} ${JSON.stringify(name)}${kind === 'Folder' ? ' and what lies in it' : ''}`;
}

/** All but one access that is equal. */
function without(all: readonly Access[], one: Access | undefined): readonly Access[] {
  const isIt = ({ subject, role }: Access): boolean =>
    subject?.kind === one?.subject?.kind && subject?.name === one?.subject?.name && role === one?.role;
  const index = all.findIndex(isIt);
  return all.filter((_, at) => at !== index);
}

/** The most subjects that a message names. */
const MOST_NAMED = 20;

const IF_NOT_WANTED = 'If they should not, delete their RoleBindings, or make it private';
const IF_STILL_WANTED = 'If they should keep it, give them a RoleBinding';

/** Says who gains and who loses access to an object, and what to do about it. Empty if nobody does. */
export function accessChanges(what: string, before: readonly Access[], after: readonly Access[]): readonly string[] {
  const [had, have] = [rolesOf(before), rolesOf(after)];
  const gained = [...have].filter(([subject, role]) => !isAtLeast(had.get(subject), role)).map(named);
  const lost = [...had].filter(([subject, role]) => !isAtLeast(have.get(subject), role)).map(named);
  return [
    ...(gained.length === 0 ? [] : [`these gain access to ${what}: ${listed(gained)}. ${IF_NOT_WANTED}`]),
    ...(lost.length === 0 ? [] : [`these lose access to ${what}: ${listed(lost)}. ${IF_STILL_WANTED}`]),
  ];
}

const LEVELS = ['View', 'Edit', 'Admin'];
/** In place of the subjects of bindings that the caller may not view. */
const HIDDEN = 'others, whose permissions you may not view';

/** The highest role of each subject. Custom roles have no order, so each of them stays. */
function rolesOf(all: readonly Access[]): ReadonlyMap<string, string> {
  const roles = new Map<string, string>();
  for (const { subject, role } of all) {
    const isLevel = LEVELS.includes(role);
    const key = subject === undefined ? HIDDEN : `${subject.kind}/${subject.name}${isLevel ? '' : ` by ${role}`}`;
    if (!isAtLeast(roles.get(key), role)) roles.set(key, role);
  }
  return roles;
}

function isAtLeast(role: string | undefined, least: string): boolean {
  return role === least || (role !== undefined && LEVELS.indexOf(role) >= LEVELS.indexOf(least));
}

/** Names each subject with the most that it has: `Team/dev (Edit), BasicRole/Viewer (View)`. */
export function namedAccess(all: readonly Access[]): string {
  return listed([...rolesOf(all)].map(named));
}

const named = ([subject, role]: readonly [string, string]): string => (role === '' ? subject : `${subject} (${role})`);

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

import { resourceName } from '../../../registry/kinds/names.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import { DEFAULT_ORGANIZATION, isReserved } from '../names.js';
import type { RoleSpec } from '../role/schema.js';
import type { BindingSubject } from '../rolebinding/schema.js';
import type { ServiceAccountSpec } from '../serviceaccount/schema.js';
import type { TeamSpec } from '../team/schema.js';
import type { UserSpec } from '../user/schema.js';
import type { AccessChange } from './changes.js';
import { LEVELS, ROLES, rankOf } from './levels.js';
import type { AccessContext, AccessTarget } from './place.js';

const WORDS = {
  Folder: 'folder',
  Dashboard: 'dashboard',
  ServiceAccount: 'service account',
  Organization: 'organization',
} as const;

function shown({ kind, name }: AccessTarget): string {
  return `the ${WORDS[kind]} ${JSON.stringify(name)}${kind === 'Folder' ? ' and what lies in it' : ''}`;
}

/** The most subjects that a warning names. All warnings of an answer together are bounded, too. */
const MOST_NAMED = 8;
/** The most characters of a title. */
const LONGEST_TITLE = 40;

/** Where the names of subjects and roles are looked up. */
interface NamingContext extends AccessContext {
  /** Reads what the caller may view, for the titles of custom roles. Absent: the caller may view all of them. */
  readonly visible?: WriteContext['visible'];
  /** A role that the request writes or deletes, by `metadata.name`. */
  readonly role?: { readonly name: string; readonly title: string | undefined };
}

const IF_NOT_WANTED = 'If they should not, delete their RoleBindings';
const OR_PRIVATE = ', or make it private';
const IF_STILL_WANTED = 'If they should keep it, give them a RoleBinding';

/**
 * Says who gains, changes and loses access to a target, and what to do about it if that is a matter of bindings. Empty
 * if nobody does.
 */
export function changeWarnings(
  target: AccessTarget,
  changes: readonly AccessChange[],
  context: NamingContext,
  advises = true,
): readonly string[] {
  const what = shown(target);
  const said = (verb: string, some: readonly AccessChange[], advice: string): readonly string[] =>
    some.length === 0 ? [] : [`these ${verb} ${what}: ${listed(some, context)}${advises ? advice : ''}`];
  const isGain = ({ from }: AccessChange): boolean => from === '';
  const isLoss = ({ to }: AccessChange): boolean => to === '';
  return [
    ...said(
      'gain access to',
      changes.filter(isGain),
      `. ${IF_NOT_WANTED}${target.kind === 'Organization' ? '' : OR_PRIVATE}`,
    ),
    ...said(
      'change their access to',
      changes.filter((one) => !isGain(one) && !isLoss(one)),
      '',
    ),
    ...said('lose access to', changes.filter(isLoss), `. ${IF_STILL_WANTED}`),
  ];
}

const ORDER = ['Team', 'BasicRole', 'ServiceAccount', 'User'] as const;

/** Teams and roles first, because they stand for many people, and the highest level first. */
function listed(changes: readonly AccessChange[], context: NamingContext): string {
  const place = ({ subject }: AccessChange): number =>
    subject === undefined ? ORDER.length : ORDER.indexOf(subject.kind);
  const level = ({ from, to }: AccessChange): number => Math.max(rankOf(from), rankOf(to));
  const all = changes.toSorted((a, b) => place(a) - place(b) || level(b) - level(a));
  const more = all.length - MOST_NAMED;
  const names = all.slice(0, MOST_NAMED).map((one) => named(one, context));
  return `${names.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** In place of the subjects of bindings that the caller may not view. */
const HIDDEN = 'others, whose permissions you may not view';

/** `User/01m8 "Leslie Lamport" "leslie" (Admin -> "Ops writers")`, `BasicRole/Viewer (View, 26 people)`. */
function named({ subject, from, to, people }: AccessChange, context: NamingContext): string {
  const level = [from, to]
    .filter((one) => one !== '')
    .map((one) => withTitles(one, context))
    .join(' -> ');
  if (subject === undefined) return `${HIDDEN} (${level})`;
  const names = namesOf(subject, context).map((name) => ` ${JSON.stringify(name)}`);
  return `${subject.kind}/${subject.name}${names.join('')} (${level}${people ? `, ${counted(people)}` : ''})`;
}

const BUILT_IN: ReadonlySet<string> = new Set([...LEVELS, ...ROLES]);

/** A level with the quoted titles of its custom roles: `View and "Ops writers"`. Names of roles have no spaces. */
function withTitles(level: string, context: NamingContext): string {
  return level.replaceAll(/(^| and )(\S+)/g, (whole, before: string, name: string) => {
    const title = BUILT_IN.has(name) ? undefined : roleTitle(name, context);
    return title === undefined || title === name ? whole : `${before}${JSON.stringify(shortened(title))}`;
  });
}

/** The title of a role of the organization, or of a global one. */
function roleTitle(name: string, { reader, namespace, environment, visible, role }: NamingContext): string | undefined {
  if (role?.name === name) return role.title;
  const read = visible ?? ((...key: Parameters<WriteContext['visible']>) => reader.get(...key));
  const roles = resourceName('iam/roles', environment.domain);
  const specIn = (place: string) => read(roles, place, name)?.spec as RoleSpec | undefined;
  const spec = specIn(namespace);
  if (spec !== undefined) return spec.title;
  const global = specIn(DEFAULT_ORGANIZATION);
  return global?.global === true ? global.title : undefined;
}

const shortened = (title: string): string => [...title].slice(0, LONGEST_TITLE).join('');

function counted({ changed, of, hasAccounts, isMost }: NonNullable<AccessChange['people']>): string {
  const words = hasAccounts ? 'people and service accounts' : of === 1 ? 'person' : 'people';
  const number = `${of} ${words}`;
  if (isMost) return `at most ${number}`;
  return changed === of ? number : `${changed} of ${number}`;
}

/** The title of a subject, and the login of a user, as far as they differ from its name. */
export function namesOf({ kind, name }: BindingSubject, context: AccessContext): readonly string[] {
  const { title, login } = titlesOf({ kind, name }, context);
  const short = shortened(title);
  const isNamed = title === name;
  if (login === undefined || login === name || login === title) return isNamed ? [] : [short];
  return [short, login];
}

interface Titles {
  readonly title: string;
  readonly login?: string;
}

/** What people call a subject: its title, and the login that distinguishes users with the same one. */
export function titlesOf(subject: BindingSubject, context: AccessContext): Titles {
  return foundTitles(subject, context) ?? { title: subject.name };
}

/** What people call an author, such as `user:<uid>` or `service-account:<name>`, if there is such an account. */
export function authorTitles(identity: string, context: AccessContext): Titles | undefined {
  const [, sort, name = ''] = /^(user|service-account):(.*)$/s.exec(identity) ?? [];
  if (sort === undefined) return undefined;
  // The operator is no stored user.
  if (isReserved(name)) return { title: name };
  return foundTitles({ kind: sort === 'user' ? 'User' : 'ServiceAccount', name }, context);
}

/** The titles of a subject that exists. */
function foundTitles(
  { kind, name }: BindingSubject,
  { reader, namespace, environment: { domain } }: AccessContext,
): Titles | undefined {
  if (kind === 'BasicRole') return { title: name };
  if (kind === 'User') {
    const spec = reader.get<UserSpec>(resourceName('iam/users', domain), '', name)?.spec;
    return spec && { title: spec.name || spec.login, login: spec.login };
  }
  const resource = resourceName(kind === 'Team' ? 'iam/teams' : 'iam/serviceaccounts', domain);
  const spec = reader.get<TeamSpec | ServiceAccountSpec>(resource, namespace, name)?.spec;
  return spec && { title: spec.title };
}

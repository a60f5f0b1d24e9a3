import type { z } from 'zod';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { forbidden, invalid, notFound } from '../../pkg/kube/status/errors.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { neededPermissions } from '../../registry/authorization/denied.js';
import { entryAttributes, isMaster } from '../../registry/kinds/authorizer.js';
import { groupName, type Kind } from '../../registry/kinds/kind.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { DescribedResource } from '../../registry/openapi/schemas.js';
import { nameOf, objectOf, type Entry as StoredEntry } from '../../registry/read/reader.js';
import { subjectKey } from '../iam/access/bindings.js';
import { rankOf } from '../iam/access/levels.js';
import { type Crowd, crowdBehind, type People, type Person, peopleIn } from '../iam/access/people.js';
import { type AccessContext, type AccessTarget, type Place, placeOf } from '../iam/access/place.js';
import { accessAt, type BoundPart, distinct, isGroup, levelBy, type PlaceAccess } from '../iam/access/subjects.js';
import { titlesOf } from '../iam/access/words.js';
import { isUser } from '../iam/names.js';
import type { BindingSubject } from '../iam/rolebinding/schema.js';
import { isAdministrator } from '../iam/user/schema.js';
import { administersOrganization } from './administrators.js';
import type { GrantOptions } from './grant-inputs.js';
import {
  type ScopeAccessEntry,
  type ScopeAccessPerson,
  ScopeAccessSpec,
  ScopeAccessStatus,
} from './scope-access-schema.js';

/** The most entries, and the most people of one team or role, in an answer. */
const MOST_ENTRIES = 1000;
const MOST_PEOPLE = 200;
/** The most people of groups that one answer counts one by one. */
const MOST_COUNTED = 2000;

export function scopeAccessReview(domain: string): DescribedResource {
  return {
    group: groupName('iam', domain),
    version: 'v1beta1',
    kind: 'ScopeAccessReview',
    resource: 'scopeaccessreviews',
    singular: 'scopeaccessreview',
    scope: 'Namespaced',
    verbs: ['create'],
    description: 'ScopeAccessReview asks who has access to a folder or a dashboard, at which level, and why.',
    spec: ScopeAccessSpec,
    status: ScopeAccessStatus,
  };
}

/** A question, and what answers it. */
interface Asked {
  readonly context: AccessContext;
  readonly access: PlaceAccess;
  readonly place: Place;
  readonly maySee: (part: BoundPart) => boolean;
  /** Whether the caller may learn who administers the server, also of those who are no members. */
  readonly seesServer: boolean;
}

/** Throws 403 or 404 for callers who may not ask, and 422 for a scope that names not exactly one object. */
export function* scopeAccess(
  registry: Registry,
  options: GrantOptions,
  user: UserInfo,
  namespace: string,
  { scope, subject, people }: ScopeAccessSpec,
): Steps<ScopeAccessStatus> {
  const { reader } = registry;
  const context: AccessContext = { reader, namespace, environment: options };
  const target = targetOf(scope, options.domain);
  const kind = kindOf(registry, target, options.domain);
  const entry = targetEntry(registry, kind, target.name, user, context);
  const isAdmin = administersOrganization(registry, user, namespace);
  const mayRead = isAdmin || mayReadPermissions(registry, kind, user, context, entry);
  const isSelf = subject?.kind === 'User' && isUser(user, subject.name);
  if (!(subject === undefined ? mayRead : isAdmin || isSelf) || (people && !isAdmin)) {
    const gr = { group: groupName('iam', options.domain), resource: 'scopeaccessreviews' };
    const why = `User ${JSON.stringify(user.name)} cannot see who has access to ${JSON.stringify(target.name)}`;
    throw forbidden(gr, '', `${why}: ${neededPermissions([readsPermissions(kind)])}`);
  }
  const place = placeOf(target, context);
  const access = accessAt(place, context);
  const maySee = visibility(registry, user, context, isAdmin || isSelf);
  const asked = { context, access, place, maySee, seesServer: isMaster(user) };
  const title = titleOf(objectOf(entry));
  if (subject === undefined) return { title, ...(yield* entriesFor(access.subjects(), asked)) };
  const answer = yield* answerAbout(subject, asked);
  return { title, ...answer, ...(people && (yield* peopleBehind(subject, asked))) };
}

function targetOf({ folder, dashboard }: ScopeAccessSpec['scope'], domain: string): AccessTarget {
  if (folder !== undefined && dashboard === undefined) return { kind: 'Folder', name: folder };
  if (dashboard !== undefined && folder === undefined) return { kind: 'Dashboard', name: dashboard };
  const cause = {
    reason: 'FieldValueInvalid',
    message: 'Invalid value: name a folder or a dashboard',
    field: 'spec.scope',
  };
  throw invalid(scopeAccessReview(domain), '', [cause]);
}

/** The kind of a target. Throws 404 if it is not served. */
export function kindOf({ kinds }: Registry, { kind }: AccessTarget, domain: string): Kind {
  const qualified = resourceName(kind === 'Folder' ? 'folder/folders' : 'dashboard/dashboards', domain);
  const found = kinds.find((one) => one.qualified === qualified);
  if (found === undefined) throw notFound({ group: '', resource: qualified }, '');
  return found;
}

/** The object, if the caller may view it. One that is hidden is like one that does not exist. */
function targetEntry(
  registry: Registry,
  kind: Kind,
  name: string,
  user: UserInfo,
  context: AccessContext,
): StoredEntry {
  const entry = context.reader.entry(kind.qualified, context.namespace, name);
  if (entry === undefined || !mayView(registry, kind, user, context, entry)) throw notFound(kind, name);
  return entry;
}

/** Whether a caller may view a stored object. */
export function mayView(
  { authorizer }: Registry,
  kind: Kind,
  user: UserInfo,
  { reader, namespace }: AccessContext,
  entry: StoredEntry,
): boolean {
  const attributes = { user, verb: 'get', kind, namespace, name: nameOf(entry), object: entryAttributes(entry) };
  return authorizer.missing(attributes, reader)?.length === 0;
}

const readsPermissions = ({ resource }: Kind): string => `${resource}.permissions:read`;

function mayReadPermissions(
  { authorizer }: Registry,
  kind: Kind,
  user: UserInfo,
  { reader, namespace }: AccessContext,
  entry: StoredEntry,
): boolean {
  const attributes = { user, verb: 'get', kind, namespace };
  return authorizer.hasAction(attributes, readsPermissions(kind), entryAttributes(entry), reader);
}

/** Whether the caller may view a binding. What basic roles have without one is no secret. */
function visibility(registry: Registry, user: UserInfo, context: AccessContext, seesAll: boolean): Asked['maySee'] {
  const { reader, namespace, environment } = context;
  const resource = resourceName('iam/rolebindings', environment.domain);
  const kind = registry.kinds.find(({ qualified }) => qualified === resource);
  return ({ binding }) => {
    if (binding === undefined || seesAll) return true;
    const entry = reader.entry(resource, namespace, binding.name);
    return entry !== undefined && kind !== undefined && mayView(registry, kind, user, context, entry);
  };
}

function* entriesFor(
  subjects: readonly BindingSubject[],
  asked: Asked,
): Steps<Pick<ScopeAccessStatus, 'entries' | 'isPartial'>> {
  const { context, access, maySee } = asked;
  const counted = counter(peopleIn(context));
  const all: { readonly subject: BindingSubject; readonly part: BoundPart; readonly level: string }[] = [];
  for (const subject of subjects) {
    yield;
    for (const part of access.partsOf(subject).filter(maySee)) {
      const level = access.rules.levelOf([part]);
      if (level !== '') all.push({ subject, part, level });
    }
  }
  const first = all.toSorted((a, b) => rankOf(b.level) - rankOf(a.level)).slice(0, MOST_ENTRIES);
  const entries: z.infer<typeof ScopeAccessEntry>[] = [];
  for (const { subject, part, level } of first) {
    yield;
    const crowd = isGroup(subject) && (yield* counted(subject));
    const { people, accounts = 0, isMost } = crowd || {};
    const size = { ...(crowd && { people }), ...(accounts > 0 && { accounts }), ...(isMost && { isMost }) };
    entries.push({ subject, ...titlesOf(subject, context), level, ...size, ...boundBy(part, context) });
  }
  return { entries, ...(all.length > MOST_ENTRIES && { isPartial: true }) };
}

/** Counts each group once, and those of an answer up to a limit. */
function counter(people: People): (subject: BindingSubject) => Steps<Crowd> {
  const known = new Map<string, Crowd>();
  let room = MOST_COUNTED;
  return function* counted(subject) {
    const crowd = known.get(subjectKey(subject)) ?? (yield* crowdBehind(subject, people, Math.min(room, MOST_PEOPLE)));
    if (!known.has(subjectKey(subject)) && !crowd.isMost) room -= crowd.people + crowd.accounts;
    known.set(subjectKey(subject), crowd);
    return crowd;
  };
}

/** The binding of a part, and the title of what it is on. */
export function boundBy(
  { binding }: BoundPart,
  { reader, namespace, environment: { domain } }: AccessContext,
): Pick<z.infer<typeof ScopeAccessEntry>, 'binding' | 'placeTitle'> {
  if (binding === undefined) return {};
  const { name, spec } = binding;
  const resourceVersion = String(
    reader.entry(resourceName('iam/rolebindings', domain), namespace, name)?.revision ?? '',
  );
  const { folder, dashboard } = spec.scope ?? {};
  const place =
    folder !== undefined
      ? reader.get(resourceName('folder/folders', domain), namespace, folder)
      : dashboard !== undefined
        ? reader.get(resourceName('dashboard/dashboards', domain), namespace, dashboard)
        : undefined;
  return { binding: { name, resourceVersion, spec }, ...(place !== undefined && { placeTitle: titleOf(place) }) };
}

/** What people call a folder or a dashboard. */
export function titleOf({
  metadata,
  spec,
}: {
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
}): string {
  const { title } = (spec ?? {}) as { readonly title?: unknown };
  return typeof title === 'string' && title !== '' ? title : metadata.name;
}

function* answerAbout(subject: BindingSubject, asked: Asked): Steps<Omit<ScopeAccessStatus, 'title'>> {
  const { context, access } = asked;
  if (isServerAdministrator(subject, asked)) return { level: 'Admin', serverAdministrator: true, entries: [] };
  const subjects = isGroup(subject) ? [subject] : subjectsOf(subject, context);
  const level = levelBy(distinct(subjects), access);
  const refusal = level === '' ? refusalOf(subject, asked) : undefined;
  return { level, ...(refusal && { refusal }), ...(yield* entriesFor(subjects, asked)) };
}

function refusalOf({ kind, name }: BindingSubject, { context, place }: Asked): ScopeAccessStatus['refusal'] {
  const { reader, namespace, environment } = context;
  const named = (resource: 'users' | 'serviceaccounts', where: string): boolean =>
    reader.get<{ readonly disabled?: boolean }>(resourceName(`iam/${resource}`, environment.domain), where, name)?.spec
      ?.disabled === true;
  if (kind === 'User' && named('users', '')) return 'disabled';
  if (kind === 'ServiceAccount' && named('serviceaccounts', namespace)) return 'disabled';
  return place.steps.some(({ isPrivate }) => isPrivate) ? 'private' : undefined;
}

function subjectsOf(subject: BindingSubject, context: AccessContext): readonly BindingSubject[] {
  return [...peopleIn(context).behind(subject)].flatMap(({ subjects }) => subjects);
}

function isServerAdministrator({ kind, name }: BindingSubject, { context, seesServer }: Asked): boolean {
  const { reader, namespace, environment } = context;
  const isKnown =
    seesServer || reader.entry(resourceName('iam/organizationbindings', environment.domain), namespace, name);
  if (kind !== 'User' || !isKnown) return false;
  const user = reader.get(resourceName('iam/users', environment.domain), '', name);
  return user !== undefined && isAdministrator(user);
}

function* peopleBehind(
  subject: BindingSubject,
  { context, access }: Asked,
): Steps<Pick<ScopeAccessStatus, 'people' | 'isPartial'>> {
  const people: Person[] = [];
  for (const person of peopleIn(context).behind(subject)) {
    yield;
    if (people.length === MOST_PEOPLE) return { people: people.map(described), isPartial: true };
    people.push(person);
  }
  return { people: people.map(described) };

  function described({ kind, name, subjects, isAdministrator }: Person): z.infer<typeof ScopeAccessPerson> {
    const level = isAdministrator ? 'Admin' : levelBy(distinct(subjects), access);
    const named = { subject: { kind, name }, ...titlesOf({ kind, name }, context), level };
    return isAdministrator ? { ...named, serverAdministrator: true } : named;
  }
}

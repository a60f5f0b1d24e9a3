import { z } from 'zod';
import { ANONYMOUS, type UserInfo } from '../../pkg/identity/authn/user.js';
import { grantsOf, NO_GRANTS } from '../../pkg/identity/authz/grants.js';
import { forbidden, notFound } from '../../pkg/kube/status/errors.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { runStepsYielding } from '../../pkg/system/yielding/yielding.js';
import { actionsOf, normalizedVerb } from '../../registry/authorization/actions.js';
import { type Coverage, coverageOf, REACH } from '../../registry/authorization/coverage.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import { type ScopeHierarchy, scopeHierarchy } from '../../registry/authorization/scope-hierarchy.js';
import { type Authorizer, isMaster, type ResolvedGrants } from '../../registry/kinds/authorizer.js';
import { groupName, type Kind } from '../../registry/kinds/kind.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { DescribedResource } from '../../registry/openapi/schemas.js';
import { nameOf, type Reader } from '../../registry/read/reader.js';
import { titlesOf } from '../iam/access/words.js';
import { isUser, SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import { type BindingSubject, RoleBindingSpec } from '../iam/rolebinding/schema.js';
import type { UserSpec } from '../iam/user/schema.js';
import { AccessPlaces, AccessPlacesSpec, accessPlaces } from './access-places.js';
import { administersOrganization } from './administrators.js';
import type { GrantOptions } from './grant-inputs.js';
import { permissionsOfSubjects } from './permissions.js';
import { subjectNamed } from './subjects.js';

/** The most objects of one kind that are counted. */
const MOST_COUNTED = 10_000;
/** How many are counted before the event loop takes a turn. */
const AT_ONCE = 200;

export const AccessSummarySpec = z
  .strictObject({
    subject: RoleBindingSpec.shape.subject
      .optional()
      .describe('Who: a user, a service account, a team or a basic role. The caller if it is left out.'),
    places: AccessPlacesSpec.optional().describe('Answers with a list of places, and not with kinds and verbs.'),
  })
  .meta({ id: 'AccessSummaryReviewSpec', description: 'Who is asked about.' });
export type AccessSummarySpec = z.infer<typeof AccessSummarySpec>;

const Extent = z
  .strictObject({
    verb: z.string(),
    extent: z.enum(['all', 'some', 'none']).describe('With how many objects of the kind.'),
    objects: z.int().optional().describe('With how many of them; for create, in how many folders.'),
    of: z.int().optional().describe('How many there are. For administrators of the organization.'),
  })
  .meta({ id: 'AccessSummaryReviewExtent', description: 'How far a verb is allowed.' });

export const AccessSummaryStatus = z
  .strictObject({
    title: z.string().describe('What people call the subject.'),
    kinds: z.array(
      z
        .strictObject({ group: z.string(), resource: z.string(), verbs: z.array(Extent) })
        .meta({ id: 'AccessSummaryReviewKind', description: 'What is allowed with one kind.' }),
    ),
    places: AccessPlaces.optional().describe('If it was asked for: to which folders or dashboards they have access.'),
  })
  .meta({ id: 'AccessSummaryReviewStatus', description: 'What somebody may do in the organization.' });
export type AccessSummaryStatus = z.infer<typeof AccessSummaryStatus>;
type VerbExtent = z.infer<typeof Extent>;

export function accessSummaryReview(domain: string): DescribedResource {
  return {
    group: groupName('iam', domain),
    version: 'v1beta1',
    kind: 'AccessSummaryReview',
    resource: 'accesssummaryreviews',
    singular: 'accesssummaryreview',
    scope: 'Namespaced',
    verbs: ['create'],
    description:
      'AccessSummaryReview asks what somebody may do with the objects of each kind. About others: for administrators.',
    spec: AccessSummarySpec,
    status: AccessSummaryStatus,
  };
}

/** Who is asked about, and what decides. */
interface Asked {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  readonly namespace: string;
  readonly reader: Reader;
  /** Whether the caller may learn how many objects there are, also of those that are private. */
  readonly showsTotals: boolean;
  /** If there are more objects of a kind, they are not counted. */
  readonly mostCounted: number;
}

/** Throws 403 for callers who ask about others without administering the organization, and 404 for who is not in it. */
export async function accessSummary(
  registry: Registry,
  options: GrantOptions,
  caller: UserInfo,
  namespace: string,
  { subject, places }: AccessSummarySpec,
  mostCounted = MOST_COUNTED,
): Promise<AccessSummaryStatus> {
  const { reader } = registry;
  const isAdmin = administersOrganization(registry, caller, namespace);
  const isOwn = subject === undefined || isSelf(subject, caller);
  if (!isOwn && !isAdmin) {
    const gr = { group: groupName('iam', options.domain), resource: 'accesssummaryreviews' };
    throw forbidden(gr, '', `User ${JSON.stringify(caller.name)} may not ask what others may do`);
  }
  const decider = deciderFor(registry, options, caller, namespace, subject);
  const asked = { ...decider, namespace, reader, showsTotals: isAdmin, mostCounted };
  // What somebody may do outside of the organization tells to which others they belong.
  const kinds = registry.kinds.filter(({ scope }) => isOwn || isMaster(caller) || scope === 'Namespaced');
  const title =
    subject === undefined ? caller.name : titlesOf(subject, { reader, namespace, environment: options }).title;
  if (places !== undefined) {
    const context = { reader, namespace, environment: options };
    const found = accessPlaces(registry, caller, context, subject, places);
    return { title, kinds: [], places: await runStepsYielding(found) };
  }
  return { title, kinds: await runStepsYielding(summaries(kinds, registry.kinds, asked)) };
}

function isSelf({ kind, name }: BindingSubject, caller: UserInfo): boolean {
  return kind === 'User' && isUser(caller, name);
}

function deciderFor(
  { authorizer, kinds, reader }: Registry,
  options: GrantOptions,
  caller: UserInfo,
  namespace: string,
  subject: BindingSubject | undefined,
): Pick<Asked, 'user' | 'authorizer'> {
  if (subject === undefined) return { user: caller, authorizer };
  const { kind, name } = subject;
  const { domain } = options;
  const named = (login: string): UserInfo =>
    subjectNamed(reader, domain, { name: login, uid: '', groups: [], extra: {} });
  const requireObject = <Spec>(
    resource: 'users' | 'teams' | 'serviceaccounts' | 'organizationbindings',
    where: string,
  ) => {
    const object = reader.get<Spec>(resourceName(`iam/${resource}`, domain), where, name);
    if (object === undefined) throw notFound({ group: groupName('iam', domain), resource }, name);
    return object;
  };
  if (kind === 'User') {
    // Administrators of an organization may ask about its members only.
    if (!isMaster(caller) && !isSelf(subject, caller)) requireObject('organizationbindings', namespace);
    return { user: named(requireObject<UserSpec>('users', '').spec?.login ?? ''), authorizer };
  }
  if (kind === 'ServiceAccount') {
    requireObject('serviceaccounts', namespace);
    return { user: named(`${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`), authorizer };
  }
  if (kind === 'Team') requireObject('teams', namespace);
  const grants = grantsOf(permissionsOfSubjects([subject], { reader, namespace }, options));
  const resolved: ResolvedGrants = {
    grants: (where) => (where === namespace ? grants : NO_GRANTS),
    isMember: () => false,
    isCurrent: () => true,
  };
  return {
    user: { ...ANONYMOUS, name: '', groups: [] },
    authorizer: createAuthorizer(kinds, { resolve: () => resolved }),
  };
}

function* summaries(
  kinds: readonly Kind[],
  others: readonly Kind[],
  asked: Asked,
): Steps<AccessSummaryStatus['kinds']> {
  const byResource = new Map(others.map((kind) => [kind.qualified, kind]));
  const all: AccessSummaryStatus['kinds'] = [];
  for (const kind of kinds.filter(({ served }) => served)) {
    const counted = counter(kind, scopeHierarchy(kind, byResource), asked);
    const verbs: VerbExtent[] = [];
    for (const verb of kind.verbs) verbs.push(yield* extentOf(kind, verb, asked, counted));
    all.push({ group: kind.group, resource: kind.resource, verbs });
    yield;
  }
  return all;
}

/** Stands for any name. */
const ANY_NAME = '*';

function* extentOf(kind: Kind, verb: string, asked: Asked, counted: Counter): Steps<VerbExtent> {
  const { user, authorizer, reader, showsTotals } = asked;
  if (isMaster(user)) return { verb, extent: 'all' };
  const namespace = kind.scope === 'Cluster' ? '' : asked.namespace;
  const may = (name: string): boolean =>
    authorizer.missing({ user, verb, kind, namespace, name }, reader)?.length === 0;
  const isEverywhere = may(ANY_NAME);
  if (!isEverywhere && !may('')) return { verb, extent: 'none' };
  const count = yield* counted(verb);
  if (count === undefined || typeof count === 'string')
    return { verb, extent: count ?? (isEverywhere ? 'all' : 'some') };
  const { objects, of } = count;
  if (objects === of && (isEverywhere || of > 0)) return { verb, extent: 'all' };
  // Where it is allowed, there may be nothing yet.
  return { verb, extent: 'some', objects, ...(showsTotals && { of }) };
}

interface Count {
  readonly objects: number;
  readonly of: number;
}

/**
 * Counts the objects that a verb is allowed with. If there are too many, it says whether all of them are allowed.
 * Undefined if that cannot be counted.
 */
type Counter = (verb: string) => Steps<Counted>;
type Counted = Count | 'all' | 'some' | undefined;

const uncounted = (coverages: readonly Coverage[]): Counted => (coverages.every(({ all }) => all) ? 'all' : 'some');

function counter(kind: Kind, hierarchy: ScopeHierarchy, asked: Asked): Counter {
  const { user, authorizer, namespace, reader, mostCounted } = asked;
  const known = new Map<string, Counted>();
  const { permissions, scope } = kind;
  const isCountable =
    scope === 'Namespaced' && permissions?.actionsOf === undefined && permissions?.allowSelf === undefined;
  return function* countOf(verb) {
    const normalized = normalizedVerb(verb);
    if (!isCountable || normalized === undefined) return undefined;
    const actions = actionsOf(kind, normalized, '', undefined);
    const key = normalized === 'create' ? 'create' : actions.join();
    if (known.has(key)) return known.get(key);
    const grants = authorizer.grantsOf(user, namespace, reader);
    const coverages = actions.map((action) =>
      coverageOf({ kind, hierarchy, action, scopes: grants.scopesOf(action), namespace, reader }),
    );
    const count = normalized === 'create' ? yield* countPlaces(coverages) : yield* countObjects(coverages);
    known.set(key, count);
    return count;
  };

  function* countObjects(coverages: readonly Coverage[]): Steps<Counted> {
    if (reader.count(kind.qualified, namespace) > mostCounted) return uncounted(coverages);
    let [objects, of] = [0, 0];
    for (const entry of reader.inNamespace(kind.qualified, namespace)) {
      if (coverages.every(({ has }) => has(entry))) objects++;
      if (++of % AT_ONCE === 0) yield;
    }
    return { objects, of };
  }

  /** New objects are allowed by what they are to lie in. */
  function* countPlaces(coverages: readonly Coverage[]): Steps<Counted> {
    const { container } = hierarchy;
    if (container === undefined) return undefined;
    if (reader.count(container.qualified, namespace) > mostCounted) return uncounted(coverages);
    let [objects, of] = [0, 0];
    for (const entry of reader.inNamespace(container.qualified, namespace)) {
      if (coverages.every(({ all, reachIn }) => all || reachIn(nameOf(entry)) !== REACH.none)) objects++;
      if (++of % AT_ONCE === 0) yield;
    }
    return { objects, of };
  }
}

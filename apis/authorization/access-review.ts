import { z } from 'zod';
import { ANONYMOUS, type UserInfo } from '../../pkg/identity/authn/user.js';
import { yielding } from '../../pkg/system/yielding/yielding.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import { groupName } from '../../registry/kinds/kind.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { DescribedResource } from '../../registry/openapi/schemas.js';
import { type Entry, nameOf, objectOf, type Reader } from '../../registry/read/reader.js';
import { titlesOf } from '../iam/access/words.js';
import { DEFAULT_ORGANIZATION, SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import { RoleBindingSpec } from '../iam/rolebinding/schema.js';
import { BY_ADMINISTRATOR, type UserSpec } from '../iam/user/schema.js';
import { mayDo } from './answers.js';
import type { GrantOptions } from './grant-inputs.js';
import { partsOfGrants } from './grants.js';
import { ResourceAttributes } from './review-schema.js';
import { subjectNamed } from './subjects.js';

/** The most callers that one review looks at. */
const MOST_CALLERS = 500;
/** The most roles and bindings of callers that one review tries. */
const MOST_PARTS = 5000;
const MOST_REASONS = 20;

export const ResourceAccessSpec = z
  .object({
    resourceAttributes: ResourceAttributes.describe('What is to be done. The namespace is that of the path.'),
    limit: z.int().min(1).max(MOST_CALLERS).default(MOST_CALLERS).describe('The most users and accounts to look at.'),
    continue: z.string().max(300).default('').describe('status.continue of the review before, to look at the next.'),
  })
  .meta({ id: 'ResourceAccessReviewSpec', description: 'What is asked about.' });
export type ResourceAccessSpec = z.infer<typeof ResourceAccessSpec>;

const Reason = z
  .strictObject({
    serverAdministrator: z.boolean().optional().describe('Administrators of the server may do everything.'),
    own: z.boolean().optional().describe('Every member may do this with what is their own, or with what they may use.'),
    role: z.string().optional().describe('The role in the organization.'),
    team: z.string().optional().describe('metadata.name of a team that they belong to.'),
    binding: RoleBindingSpec.optional().describe('A role binding: to them, to a team of theirs, or to their role.'),
  })
  .meta({ id: 'ResourceAccessReviewReason', description: 'What alone is enough: exactly one of these.' });

const Allowed = z
  .strictObject({
    kind: z.enum(['User', 'ServiceAccount', 'Anonymous']).describe('What the caller is.'),
    name: z.string().describe('metadata.name of the user or the service account.'),
    title: z.string().optional().describe('What people call them.'),
    login: z.string().optional().describe('The login of a user.'),
    because: z.array(Reason).describe('Why. Empty if only several together are enough.'),
  })
  .meta({ id: 'ResourceAccessReviewSubject', description: 'Somebody who may do it.' });

export const ResourceAccessStatus = z
  .strictObject({
    subjects: z.array(Allowed).describe('Who may do it, of those that were looked at.'),
    examined: z.int().describe('How many users and accounts were looked at.'),
    continue: z.string().optional().describe('Present if there are more to look at.'),
  })
  .meta({ id: 'ResourceAccessReviewStatus', description: 'Who may do it.' });
export type ResourceAccessStatus = z.infer<typeof ResourceAccessStatus>;

export function resourceAccessReview(domain: string): DescribedResource {
  return {
    group: groupName('iam', domain),
    version: 'v1beta1',
    kind: 'ResourceAccessReview',
    resource: 'resourceaccessreviews',
    singular: 'resourceaccessreview',
    scope: 'Namespaced',
    verbs: ['create'],
    description: 'ResourceAccessReview asks who in an organization may do something, and why. For its administrators.',
    spec: ResourceAccessSpec,
    status: ResourceAccessStatus,
  };
}

interface Candidate {
  readonly kind: 'User' | 'ServiceAccount' | 'Anonymous';
  readonly name: string;
  readonly user: UserInfo;
}

/** Who is asked about: with `organization`, only its members, because its administrators may not list others. */
interface Range {
  readonly namespace: string;
  readonly within: 'server' | 'organization';
}

/**
 * Asks the authorizer about each caller in a fixed order. If the caller may, it asks about each thing alone that gives
 * the caller rights. The numbers of both are bounded.
 */
export async function whoMay(
  registry: Registry,
  options: GrantOptions,
  { namespace, within }: Range,
  { resourceAttributes, limit, continue: after }: ResourceAccessSpec,
): Promise<ResourceAccessStatus> {
  const attributes = { ...resourceAttributes, namespace };
  const subjects: ResourceAccessStatus['subjects'] = [];
  let [examined, parts, last] = [0, 0, ''];
  const candidates = candidatesAfter(after, registry.reader, options.domain, { namespace, within });
  for await (const candidate of yielding(candidates)) {
    if (candidate === undefined) continue;
    const { kind, name, user } = candidate;
    if (examined >= limit || parts >= MOST_PARTS) return { subjects, examined, continue: last };
    examined++;
    last = placeOf(kind, name);
    if (!(await mayDo(registry, user, attributes)).allowed) continue;
    const because: z.infer<typeof Reason>[] = [];
    for await (const { why, resolved } of yielding(partsOfGrants(user, registry.reader, options, namespace))) {
      if (because.length >= MOST_REASONS || parts++ >= MOST_PARTS) break;
      const authorizer = createAuthorizer(registry.kinds, { resolve: () => resolved });
      if ((await mayDo({ ...only(registry), authorizer }, user, attributes)).allowed) because.push(why);
      if (why.own === true && because.length > 0) break;
    }
    const titles =
      kind === 'Anonymous'
        ? {}
        : titlesOf({ kind, name }, { reader: registry.reader, namespace, environment: options });
    subjects.push({ kind, name, ...titles, because });
  }
  return { subjects, examined };
}

const only = ({ kinds, reader }: Registry): Pick<Registry, 'kinds' | 'reader'> => ({ kinds, reader });

const ORDER = { User: 0, ServiceAccount: 1, Anonymous: 2 } as const;

/** The place of a caller in the order. */
const placeOf = (kind: Candidate['kind'], name: string): string => `${ORDER[kind]}/${name}`;

/**
 * Members and administrators of the server, then service accounts, then callers without credentials. Undefined stands
 * for those who are not looked at, so that other requests get their turns: there may be very many members.
 */
export function* candidatesAfter(
  after: string,
  reader: Reader,
  domain: string,
  { namespace, within }: Range,
): Generator<Candidate | undefined> {
  const isNext = (kind: Candidate['kind'], name: string): boolean => placeOf(kind, name) > after;
  const named = (name: string): UserInfo => subjectNamed(reader, domain, { name, uid: '', groups: [], extra: {} });
  const isWide = within === 'server';
  const administrators = isWide
    ? reader.entries(resourceName('iam/users', domain), BY_ADMINISTRATOR, [1], MOST_CALLERS)
    : [];
  const members = reader.inNamespace(resourceName('iam/organizationbindings', domain), namespace);
  for (const name of inOrder(administrators.map(nameOf).sort(), members)) {
    const entry = isNext('User', name) ? reader.entry(resourceName('iam/users', domain), '', name) : undefined;
    yield entry && { kind: 'User', name, user: named((objectOf(entry).spec as UserSpec).login) };
  }
  for (const entry of reader.inNamespace(resourceName('iam/serviceaccounts', domain), namespace)) {
    const name = nameOf(entry);
    const isLater = isNext('ServiceAccount', name);
    yield isLater
      ? { kind: 'ServiceAccount', name, user: named(`${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`) }
      : undefined;
  }
  const { name } = ANONYMOUS;
  if (namespace === DEFAULT_ORGANIZATION && isNext('Anonymous', name))
    yield { kind: 'Anonymous', name, user: ANONYMOUS };
}

/** The names of both, which are in order, each once. Reads no further than the caller iterates. */
function* inOrder(names: readonly string[], entries: Iterable<Entry>): Generator<string> {
  let at = 0;
  for (const entry of entries) {
    const name = nameOf(entry);
    for (let next = names[at]; next !== undefined && next <= name; next = names[++at]) if (next < name) yield next;
    yield name;
  }
  yield* names.slice(at);
}

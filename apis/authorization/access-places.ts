import { z } from 'zod';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { isMaster } from '../../registry/kinds/authorizer.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { nameOf, objectOf } from '../../registry/read/reader.js';
import { rankOf } from '../iam/access/levels.js';
import { peopleIn } from '../iam/access/people.js';
import { type AccessContext, placeOf } from '../iam/access/place.js';
import { accessAt, distinct, isGroup, levelBy } from '../iam/access/subjects.js';
import { titlesOf } from '../iam/access/words.js';
import { SERVICE_ACCOUNT_PREFIX } from '../iam/names.js';
import type { BindingSubject } from '../iam/rolebinding/schema.js';
import { isAdministrator, type UserSpec } from '../iam/user/schema.js';
import { boundBy, kindOf, mayView, titleOf } from './scope-access.js';
import { ScopeAccessEntry } from './scope-access-schema.js';

/** The most folders or dashboards that one review looks at. */
const MOST_EXAMINED = 2000;
const MOST_PLACES = 200;

export const AccessPlacesSpec = z
  .strictObject({
    resource: z.enum(['folders', 'dashboards']).describe('Which objects.'),
    limit: z.int().min(1).max(MOST_PLACES).default(50).describe('The most places in the answer.'),
    continue: z.string().max(300).default('').describe('status.continue of the review before, for the next places.'),
  })
  .meta({ id: 'AccessSummaryReviewPlacesSpec', description: 'Asks for a list of folders or dashboards.' });
export type AccessPlacesSpec = z.infer<typeof AccessPlacesSpec>;

const AccessPlace = z
  .strictObject({
    name: z.string().describe('metadata.name of the folder or the dashboard.'),
    title: z.string().describe('What people call it.'),
    level: z.string().describe('What the subject has there: View, Edit, Admin, or the names of custom roles.'),
    because: ScopeAccessEntry.optional().describe('What alone gives the most there.'),
  })
  .meta({ id: 'AccessSummaryReviewPlace', description: 'A folder or a dashboard to which the subject has access.' });

export const AccessPlaces = z
  .strictObject({
    places: z.array(AccessPlace).describe('Those to which the subject has access, in order of metadata.name.'),
    serverAdministrator: z.boolean().optional().describe('The subject administers the server, and may do everything.'),
    continue: z.string().optional().describe('Present if there are more to look at.'),
  })
  .meta({ id: 'AccessSummaryReviewPlaces', description: 'To what somebody has access, and by what.' });
export type AccessPlaces = z.infer<typeof AccessPlaces>;

/** The folders or dashboards to which a subject has access, as far as the caller may view them. */
export function* accessPlaces(
  registry: Registry,
  caller: UserInfo,
  context: AccessContext,
  asked: BindingSubject | undefined,
  { resource, limit, continue: after }: AccessPlacesSpec,
): Steps<AccessPlaces> {
  const { reader, namespace, environment } = context;
  const subject = asked ?? selfOf(caller, namespace);
  if (subject === undefined || isOfServer(subject, context)) return { places: [], serverAdministrator: true };
  const target = resource === 'folders' ? 'Folder' : 'Dashboard';
  const kind = kindOf(registry, { kind: target, name: '' }, environment.domain);
  const subjects = distinct(isGroup(subject) ? [subject] : behind(subject, context));
  const places: AccessPlaces['places'] = [];
  let [examined, last] = [0, ''];
  for (const entry of reader.inNamespace(kind.qualified, namespace)) {
    yield;
    const name = nameOf(entry);
    if (name <= after) continue;
    if (places.length >= limit || examined++ >= MOST_EXAMINED) return { places, continue: last };
    last = name;
    const access = accessAt(placeOf({ kind: target, name }, context), context);
    const level = levelBy(subjects, access);
    if (level === '' || !mayView(registry, kind, caller, context, entry)) continue;
    const because = mostOf(subjects, access, context);
    places.push({ name, title: titleOf(objectOf(entry)), level, ...(because && { because }) });
  }
  return { places };
}

/** What gives the highest level alone. */
function mostOf(
  subjects: readonly BindingSubject[],
  { rules, partsOf }: ReturnType<typeof accessAt>,
  context: AccessContext,
): z.infer<typeof ScopeAccessEntry> | undefined {
  const all = subjects.flatMap((subject) =>
    partsOf(subject).map((part) => ({ subject, part, level: rules.levelOf([part]) })),
  );
  const [first] = all.filter(({ level }) => level !== '').sort((a, b) => rankOf(b.level) - rankOf(a.level));
  if (first === undefined) return undefined;
  const { subject, part, level } = first;
  return { subject, ...titlesOf(subject, context), level, ...boundBy(part, context) };
}

const behind = (subject: BindingSubject, context: AccessContext): readonly BindingSubject[] =>
  [...peopleIn(context).behind(subject)].flatMap(({ subjects }) => subjects);

/** The caller as a subject. Undefined for a caller who may do everything. */
function selfOf(caller: UserInfo, namespace: string): BindingSubject | undefined {
  if (isMaster(caller)) return undefined;
  const account = `${SERVICE_ACCOUNT_PREFIX}${namespace}:`;
  if (caller.name.startsWith(account)) return { kind: 'ServiceAccount', name: caller.name.slice(account.length) };
  return caller.uid === '' ? { kind: 'BasicRole', name: 'Viewer' } : { kind: 'User', name: caller.uid };
}

function isOfServer({ kind, name }: BindingSubject, { reader, environment }: AccessContext): boolean {
  const user =
    kind === 'User' ? reader.get<UserSpec>(resourceName('iam/users', environment.domain), '', name) : undefined;
  return user !== undefined && isAdministrator(user);
}

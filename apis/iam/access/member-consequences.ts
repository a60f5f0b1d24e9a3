import type { Steps } from '../../../pkg/system/yielding/steps.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import { accountSubjects, memberSubjects } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import { type BindingSubject, BY_SUBJECT } from '../rolebinding/schema.js';
import { isAdministrator, type UserSpec } from '../user/schema.js';
import { subjectKey } from './bindings.js';
import { boundBindings, hiddenPlaces } from './bound.js';
import type { AccessChange } from './changes.js';
import { MOST_PLACES, omissions, targetsOf } from './consequences.js';
import { type Person, peopleIn } from './people.js';
import { type AccessTarget, placeOf } from './place.js';
import { accessAt, levelBy } from './subjects.js';
import { changeWarnings } from './words.js';

/** The role of somebody in the organization before and after a write. Absent: no member. */
export interface RoleOfMember {
  readonly subject: { readonly kind: 'User' | 'ServiceAccount'; readonly name: string };
  readonly role: string | undefined;
  readonly old: string | undefined;
}

/** A warning about another role in the organization, by what somebody has in it by all ways together. */
export function* memberConsequences(
  { subject, role, old }: RoleOfMember,
  ctx: WriteContext,
  environment: AccessEnvironment,
): Steps<readonly string[]> {
  if (role === old || keepsRights(subject, ctx, environment)) return [];
  yield;
  const { namespace, reader } = ctx;
  const context = { reader, namespace, environment };
  const target: AccessTarget = { kind: 'Organization', name: namespace };
  const access = accessAt(placeOf(target, context), context);
  const levelWith = (one: string | undefined): string => {
    if (one === undefined) return '';
    const { kind, name } = subject;
    const subjects =
      kind === 'User' ? memberSubjects(name, one, context, environment.domain) : accountSubjects(name, one);
    return levelBy(subjects, access);
  };
  const [from, to] = [levelWith(old), levelWith(role)];
  return from === to
    ? []
    : changeWarnings(target, [{ subject, from, to }], { ...context, visible: ctx.visible }, false);
}

/** Whether a role changes nothing: the user is disabled, or administers the server. */
function keepsRights({ kind, name }: BindingSubject, { reader }: WriteContext, { domain }: AccessEnvironment): boolean {
  if (kind !== 'User') return false;
  const user = reader.get<UserSpec>(resourceName('iam/users', domain), '', name);
  return user === undefined || user.spec?.disabled === true || isAdministrator(user);
}

/** Whether a user belongs to a team before and after a write. */
export interface MembershipWrite {
  readonly team: string;
  readonly user: string;
  readonly was: boolean;
  readonly is: boolean;
}

/** The most people of one request that are looked at, because other writes wait meanwhile. */
const MOST_PEOPLE = 200;

/** Warnings about new and former members of teams, by what each of them has by all ways together. */
export function* membershipConsequences(
  writes: readonly MembershipWrite[],
  ctx: WriteContext,
  environment: AccessEnvironment,
): Steps<readonly string[]> {
  const changed = writes.filter(({ was, is }) => was !== is);
  const { namespace, reader } = ctx;
  const context = { reader, namespace, environment };
  const targets = new Map<string, AccessTarget>();
  let hidden = 0;
  for (const team of new Set(changed.map((one) => one.team))) {
    yield;
    const bound = boundBindings({ index: BY_SUBJECT, prefix: [namespace, 'Team', team] }, ctx, environment);
    hidden += bound.hidden;
    for (const { spec } of bound.shown)
      for (const target of targetsOf(spec, context)) targets.set(JSON.stringify(target), target);
  }
  const users = [...new Set(changed.map(({ user }) => user))];
  const people = peopleIn(context);
  const examined = users.slice(0, MOST_PEOPLE).flatMap((name) => [...people.behind({ kind: 'User', name })]);
  const warnings: string[] = [];
  for (const target of [...targets.values()].slice(0, MOST_PLACES)) {
    const access = accessAt(placeOf(target, context), context);
    const rows: AccessChange[] = [];
    for (const person of examined.filter((one) => !one.isAdministrator)) {
      yield;
      const [from, to] = (['was', 'is'] as const).map((when) => levelBy(subjectsWith(person, changed, when), access));
      const { kind, name } = person;
      if (from !== to) rows.push({ subject: { kind, name }, from: from ?? '', to: to ?? '' });
    }
    warnings.push(...changeWarnings(target, rows, { ...context, visible: ctx.visible }, false));
  }
  const more = users.length - MOST_PEOPLE;
  const many = more > 0 ? [`what ${more} more people gain and lose is not said: there are too many`] : [];
  return [...warnings, ...many, ...omissions(targets.size - MOST_PLACES), ...hiddenPlaces(hidden)];
}

/** The subjects of a person with the teams before or after the write, whatever is stored. */
function subjectsWith(
  { name, subjects }: Person,
  writes: readonly MembershipWrite[],
  when: 'was' | 'is',
): readonly BindingSubject[] {
  const own = writes.filter(({ user }) => user === name);
  const written = new Set(own.map(({ team }) => `Team/${team}`));
  const teams = own.filter((one) => one[when]).map(({ team }): BindingSubject => ({ kind: 'Team', name: team }));
  return [...subjects.filter((one) => !written.has(subjectKey(one))), ...teams];
}

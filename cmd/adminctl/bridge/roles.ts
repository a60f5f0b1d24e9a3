import { z } from 'zod';
import { isServerWide } from '../../../apis/authorization/escalation.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import { each } from './each.js';
import { granting, liveOf, wasBefore, withheld } from './granting.js';
import { type Move, PARALLEL, storing, taking } from './move.js';
import type { People, Subject } from './people.js';
import { BINDINGS, ROLES } from './resources.js';

const Listed = z.object({ uid: z.string(), name: z.string(), global: z.boolean().default(false) });
type Listed = z.infer<typeof Listed>;
const Role = z.object({
  displayName: z.string().default(''),
  description: z.string().default(''),
  group: z.string().default(''),
  hidden: z.boolean().default(false),
  version: z.number().default(0),
  created: z.string().optional(),
  updated: z.string().optional(),
  permissions: z.array(z.object({ action: z.string(), scope: z.string().default('') })).nullish(),
});
const ids = z.array(z.number()).nullish();
const Assignments = z.object({ users: ids, teams: ids, service_accounts: ids });

const GLOBAL_NAMESPACE = 'default';
/** Roles that come with the source. This server has its own. */
const BUILT_IN = /^(fixed|basic|managed|plugins):/;

/** Takes custom roles and who has them. Not all servers have roles. */
export async function takeRoles(move: Move, teams: People): Promise<void> {
  const roles = (await rolesOf(move)).filter(({ name }) => !BUILT_IN.test(name));
  const here = roles.length === 0 ? [] : await assignmentsHere(move);
  await each(roles, PARALLEL, (role) =>
    taking(move, ROLES.plural, `${role.uid} (${role.name})`, async () => {
      await takeRoleWithPeople(move, role, teams, here);
    }).then(() => undefined),
  );
}

async function rolesOf({ source, report }: Move): Promise<readonly Listed[]> {
  try {
    return await source.get('/api/access-control/roles', z.array(Listed), { includeHidden: true });
  } catch (error) {
    if (!(error instanceof LegacyFailure && [403, 404].includes(error.status))) throw error;
    if (error.status === 403) report.leaveOut('custom roles', error.message);
    return [];
  }
}

async function takeRoleWithPeople(
  move: Move,
  listed: Listed,
  teams: People,
  here: readonly Assignment[],
): Promise<void> {
  const { uid, name, global } = listed;
  const role = await move.source.get(`/api/access-control/roles/${encodeURIComponent(uid)}`, Role);
  // A global role belongs to the first organization, also where another one lists it.
  const home = global ? { ...move, namespace: GLOBAL_NAMESPACE } : move;
  if (wasBefore(move, await liveOf(home, ROLES, uid)))
    return withheld(move, `role ${name}`, 'was here before, and stays as it is');
  const isGiven = move.trust.isGiven || !(role.permissions ?? []).some(({ action }) => isServerWide(action));
  if (!isGiven) withheld(move, `role ${name}`, 'is about the whole server, so it is given to nobody');
  else if (home.namespace === move.namespace) await storeRole(move, listed, role);
  await takeAssignments(move, listed, isGiven, teams, here);
}

async function storeRole(move: Move, { uid, name, global }: Listed, found: z.infer<typeof Role>): Promise<void> {
  const { displayName, permissions, created, updated, ...role } = found;
  const spec = {
    name,
    title: displayName || undefined,
    description: role.description || undefined,
    group: role.group || undefined,
    hidden: role.hidden || undefined,
    global: global || undefined,
    version: role.version,
    permissions: (permissions ?? []).map(({ action, scope }) => ({ action, scope })),
  };
  await storing(move, ROLES, { name: uid, spec, origin: { created, updated, from: move.trust.from } });
}

interface Assignment {
  readonly name: string;
  readonly role: string;
  readonly subject: Subject;
}

async function assignmentsHere({ target, namespace }: Move): Promise<readonly Assignment[]> {
  const found: Assignment[] = [];
  if (target.isPlanned(namespace)) return found;
  for await (const { metadata, spec } of target.list(BINDINGS, namespace) as AsyncIterable<KubeObject<BindingSpec>>)
    if (spec !== undefined && spec.scope === undefined && spec.roleRef.kind !== 'BuiltIn')
      found.push({ name: metadata.name, role: spec.roleRef.name, subject: spec.subject });
  return found;
}

interface BindingSpec {
  readonly subject: Subject;
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly scope?: object;
}

async function takeAssignments(
  move: Move,
  role: Listed,
  isGiven: boolean,
  teams: People,
  all: readonly Assignment[],
): Promise<void> {
  const { source, target, namespace, report } = move;
  const path = `/api/access-control/roles/${encodeURIComponent(role.uid)}/assignments`;
  const wanted = subjectsOf(move, role, await source.get(path, Assignments), teams);
  const here = all.filter(({ role: uid, subject }) => uid === role.uid && subject.kind !== 'BasicRole');
  const isSame = (a: Subject, b: Subject): boolean => a.kind === b.kind && a.name === b.name;
  for (const { name } of here.filter((one) => !wanted.some((subject) => isSame(subject, one.subject)))) {
    await target.remove(BINDINGS, namespace, name);
    report.count(BINDINGS.plural, 'removed');
  }
  if (!isGiven) return;
  const roleRef = { kind: role.global ? 'GlobalRole' : 'Role', name: role.uid };
  for (const { kind, name: who } of wanted) {
    const subject = { kind, name: who };
    const present = here.find((one) => isSame(one.subject, subject));
    const name = present?.name ?? `role.${role.uid}.${kind.toLowerCase()}.${who}`;
    await taking(move, BINDINGS.plural, name, () =>
      granting(move, BINDINGS, { name, spec: { subject, roleRef } }, subject),
    );
  }
}

function subjectsOf(
  { people, report }: Move,
  role: Listed,
  { users, teams: teamIds, service_accounts: accounts }: z.infer<typeof Assignments>,
  teams: People,
): readonly Subject[] {
  const found = (from: People, word: string, id: number): readonly Subject[] => {
    const subject = from.find({ id });
    if (subject === undefined)
      report.skip(BINDINGS.plural, `of ${word} ${id} with the role ${role.name}`, 'it was not taken');
    return subject === undefined ? [] : [subject];
  };
  return [
    ...[...(users ?? []), ...(accounts ?? [])].flatMap((id) => found(people, 'user', id)),
    ...(teamIds ?? []).flatMap((id) => found(teams, 'team', id)),
  ];
}

import { z } from 'zod';
import { fold } from '../../../pkg/kube/meta/fold.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import { pages } from '../../../pkg/legacyclient/pages.js';
import { each } from './each.js';
import { granting, liveOf, wasBefore } from './granting.js';
import { allOf, type Move, PARALLEL, taking } from './move.js';
import { People, type Subject } from './people.js';
import { TEAM_MEMBERS, TEAMS } from './resources.js';

const Team = z.object({
  id: z.number(),
  uid: z.string().optional(),
  name: z.string(),
  email: z.string().default(''),
  externalUID: z.string().default(''),
  isProvisioned: z.boolean().default(false),
});
type Team = z.infer<typeof Team>;
const TeamPage = z.object({ teams: z.array(Team) }).transform(({ teams }) => teams);
const Groups = z.array(z.object({ groupId: z.string() }));
const Member = z.object({
  userId: z.number(),
  userUID: z.string().optional(),
  login: z.string().default(''),
  permission: z.number().default(0),
});
/** The number of the permission of those who manage a team. */
const ADMIN = 4;

export interface Teams {
  /** Finds teams by what the source calls them. */
  readonly teams: People;
  /** The numbers that the source gives the teams that were taken. */
  readonly taken: ReadonlyMap<string, number>;
}

/** Takes teams with their members and groups. */
export async function takeTeams(move: Move): Promise<Teams> {
  const teams = new People();
  const taken = new Map<string, number>();
  const options = { path: '/api/teams/search', schema: TeamPage, size: 1000, sizeParameter: 'perpage' };
  const all = await allOf(move, 'teams', pages(move.source, options));
  const members = await membersHere(move);
  const titles = await titlesHere(move);
  const bar = move.progress('teams');
  let done = 0;
  await each(all, PARALLEL, async (team) => {
    const name = await nameHere(move, team, titles);
    const subject: Subject = { kind: 'Team', name };
    const wasHere = wasBefore(move, await liveOf(move, TEAMS, name));
    if (wasHere) move.trust.addStranger(move.namespace, subject, team.name);
    const isThere = await taking(move, TEAMS.plural, `${name} (${team.name})`, () => takeTeam(move, name, team));
    if (isThere) teams.add(team, subject);
    // Its members have more here than what comes from there.
    if (isThere && !wasHere) {
      taken.set(name, team.id);
      await takeTeamMembers(move, name, team, members.get(name) ?? []);
    }
    bar.update(++done, all.length);
  });
  bar.stop();
  return { teams, taken };
}

async function takeTeam(move: Move, name: string, team: Team): Promise<void> {
  const groups = await groupsOf(move, team);
  const spec = {
    title: team.name,
    email: team.email || undefined,
    externalUID: team.externalUID || undefined,
    provisioned: team.isProvisioned || undefined,
    groups: groups === undefined || groups.length === 0 ? undefined : groups,
  };
  const draft = { name, spec, origin: { id: team.id, from: move.trust.from } };
  await granting(move, TEAMS, draft, { kind: 'Team', name });
}

/** Not all servers have groups of teams. */
async function groupsOf({ source, report }: Move, { id, name }: Team): Promise<readonly string[] | undefined> {
  try {
    return (await source.get(`/api/teams/${id}/groups`, Groups)).map(({ groupId }) => groupId);
  } catch (error) {
    if (!(error instanceof LegacyFailure && [400, 403, 404].includes(error.status))) throw error;
    if (error.status === 403) report.leaveOut(`groups of the team ${name}`, error.message);
    return undefined;
  }
}

/** The names of the teams here, by their titles. No two teams of an organization have the same title. */
async function titlesHere({ target, namespace }: Move): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (target.isPlanned(namespace)) return found;
  for await (const { metadata, spec } of target.list(TEAMS, namespace))
    found.set(fold((spec as { title: string }).title), metadata.name);
  return found;
}

/** A team here with the same uid is the same one. If there is none, the one with its title is. */
async function nameHere({ target, namespace }: Move, { id, uid, name }: Team, titles: ReadonlyMap<string, string>) {
  const own = uid || `t${id}`;
  return (await target.has(TEAMS, namespace, own)) ? own : (titles.get(fold(name)) ?? own);
}

/** The names of the memberships here, by team. */
async function membersHere({ target, namespace }: Move): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (target.isPlanned(namespace)) return found;
  for await (const { metadata, spec } of target.list(TEAM_MEMBERS, namespace)) {
    const team = (spec as { teamRef: { name: string } }).teamRef.name;
    found.set(team, [...(found.get(team) ?? []), metadata.name]);
  }
  return found;
}

/** Who is in the team here and not there loses that first. */
async function takeTeamMembers(move: Move, team: string, { id, name }: Team, here: readonly string[]): Promise<void> {
  const { source, people, report, target, namespace } = move;
  await taking(move, TEAM_MEMBERS.plural, `of ${name}`, async () => {
    const members = await source.get(`/api/teams/${id}/members`, z.array(Member));
    const wanted = new Map<string, { readonly user: string; readonly permission: string }>();
    for (const { userId, userUID: uid, login, permission } of members) {
      const user = people.find({ id: userId, uid, login });
      if (user?.kind !== 'User') report.skip(TEAM_MEMBERS.plural, `${login} of ${name}`, 'the user was not taken');
      else
        wanted.set(`${team}.${user.name}`, { user: user.name, permission: permission === ADMIN ? 'admin' : 'member' });
    }
    for (const gone of here.filter((binding) => !wanted.has(binding))) {
      await target.remove(TEAM_MEMBERS, namespace, gone);
      report.count(TEAM_MEMBERS.plural, 'removed');
    }
    for (const [binding, { user, permission }] of wanted) {
      const spec = { teamRef: { name: team }, userRef: { name: user }, permission };
      const who: Subject = { kind: 'User', name: user };
      await taking(move, TEAM_MEMBERS.plural, binding, () =>
        granting(move, TEAM_MEMBERS, { name: binding, spec }, who),
      );
    }
  });
}

import { type Access, accessIn, intersection, isSame, isWithin, textOf } from './access.js';
import { allOf } from './all-of.js';
import { hashOf, type Sent } from './memory.js';
import { hasStatus, Kept, Refused } from './refusal.js';
import { type Key, keyOf } from './resources.js';
import { noteMissing, type Step } from './step.js';
import type { TeamThere } from './team-target.js';
import type { TeamNode } from './teams.js';

/** The most members that are added before the state here is looked at again. */
const AT_ONCE = 64;
const NOT_TAKEN = 'the other server has not taken all of its members';

/** What a team has by name and address there. */
export const teamHash = ({ name, email }: Pick<TeamThere, 'name' | 'email'>): string => hashOf([name, email]);

/**
 * Makes a team there what it is here, apart from who comes into it: that shows them what the team may see, so it comes
 * last (`fillTeam`). Returns whether something is left for then.
 */
export async function narrowTeam(step: Step, node: TeamNode): Promise<boolean> {
  const { memory } = step;
  const key = keyOf('team', node.name);
  const wanted = await membersThere(step, node);
  const sent = memory.get(key);
  if (sent !== undefined && !sent.isUnknown && sent.hash === node.hash) {
    const before = accessIn(sent.access ?? '[]');
    if (isWithin(before, wanted)) return !isSame(before, wanted);
  }
  const there = (await found(step, key, sent)) ?? (await create(step, node));
  await step.begin(key);
  const members = await takeOut(step, there, wanted);
  if (teamHash(there) !== node.hash) await rename(step, node, there);
  const { isUnknown: _, ...others } = memory.get(key) ?? { folder: '', hash: '' };
  memory.set(key, { ...others, hash: node.hash, id: there.id, access: textOf(members) });
  return !isSame(members, wanted);
}

/** Adds who is in the team here, some at a time. Returns whether others are left. */
export async function fillTeam(step: Step, node: TeamNode): Promise<boolean> {
  const { memory, target } = step;
  const key = keyOf('team', node.name);
  const wanted = await membersThere(step, node);
  const sent = memory.get(key);
  const { id } = sent ?? {};
  if (sent === undefined || id === undefined) return false;
  const before = accessIn(sent.access ?? '[]');
  const missing = [...wanted].filter(([subject, level]) => level > (before.get(subject) ?? 0));
  const now = missing.slice(0, AT_ONCE);
  await step.begin(key);
  await allOf(
    now.map(
      ([subject, level]) =>
        () =>
          add(step, id, subject, level, before.has(subject)),
    ),
  );
  const there = await target.teams.team(id);
  if (there === undefined) throw new Refused('it was deleted there, and is sent again');
  const { isUnknown: _, ...others } = sent;
  memory.set(key, { ...others, access: textOf(there.members) });
  if (!isWithin(new Map([...before, ...now]), there.members)) throw new Refused(NOT_TAKEN);
  return now.length < missing.length;
}

async function add({ target }: Step, id: number, subject: string, level: number, isMember: boolean): Promise<void> {
  const userId = target.subjects.userId(subject);
  if (userId !== undefined) await target.teams.putMember(id, userId, level, isMember);
  else await target.teams.addGroup(id, nameIn(subject));
}

/** A team that is gone here. */
export async function deleteTeam({ memory, target }: Step, key: Key): Promise<void> {
  const sent = memory.get(key);
  if (sent?.id !== undefined) await target.teams.delete(sent.id);
  memory.delete(key);
  target.subjects.readAgain();
}

const nameIn = (subject: string): string => subject.slice(subject.indexOf(':') + 1);

/** Who of a team is there, by login. Nobody is created, and those who are not there are noted. */
async function membersThere(step: Step, { name, members }: TeamNode): Promise<Access> {
  const { subjects, teams } = step.target;
  await subjects.ensure(members.keys());
  const known = [...members].filter(([subject]) =>
    subject.startsWith('group:') ? teams.hasGroups : subjects.userId(subject) !== undefined,
  );
  noteMissing(step, keyOf('team', name), members, new Map(known));
  return new Map(known);
}

/** The team there that was sent. */
async function found({ memory, target }: Step, key: Key, sent: Sent | undefined): Promise<TeamThere | undefined> {
  if (sent?.id === undefined) return undefined;
  const there = await target.teams.team(sent.id);
  if (there === undefined) memory.delete(key);
  return there;
}

/** It is empty. Whoever creates a team may be in it, and is taken out. */
async function create(step: Step, node: TeamNode): Promise<TeamThere> {
  const { memory, target, spec } = step;
  const key = keyOf('team', node.name);
  const isOurs = memory.isOwn(key);
  await step.begin(key);
  let adopted: Pick<Sent, 'isAdopted'> = {};
  let id: number | undefined;
  try {
    id = await target.teams.create(node.title, node.email);
  } catch (error) {
    if (!hasStatus(error, 409)) throw error;
    target.subjects.readAgain();
    id = await target.subjects.teamId(node.title);
    if (id === undefined) throw error;
    if (isTakenHere(step, id)) throw new Refused('another team of this mirror has its name there');
    memory.disown(key);
    if (!isOurs && spec.existing === 'Keep') throw new Kept();
    if (!isOurs) adopted = { isAdopted: true };
  }
  target.subjects.readAgain();
  memory.set(key, { folder: '', hash: '', id, ...adopted, isUnknown: true });
  const there = await target.teams.team(id);
  if (there === undefined) throw new Refused('it was deleted there, and is sent again');
  return there;
}

/** Whether the number is that of another team here, which has a new name here and not yet there. */
function isTakenHere({ memory }: Step, id: number): boolean {
  for (const key of memory.in('')) if (key.startsWith('team/') && memory.get(key)?.id === id) return true;
  return false;
}

async function takeOut({ target }: Step, { id, members, ids }: TeamThere, wanted: Access): Promise<Access> {
  const tooMuch = [...members].filter(([subject, level]) => level > (wanted.get(subject) ?? 0));
  const lower = async (subject: string): Promise<void> => {
    const [userId, level] = [ids.get(subject), wanted.get(subject)];
    if (userId === undefined) await target.teams.removeGroup(id, nameIn(subject));
    else if (level === undefined) await target.teams.removeMember(id, userId);
    else await target.teams.putMember(id, userId, level, true);
  };
  await allOf(
    tooMuch.map(
      ([subject]) =>
        () =>
          lower(subject),
    ),
  );
  return intersection(members, wanted);
}

async function rename(step: Step, { title, email }: TeamNode, { id }: TeamThere): Promise<void> {
  const { target } = step;
  try {
    await target.teams.change(id, title, email);
  } catch (error) {
    // The specification and existing servers differ in the status of a name that is taken.
    if (hasStatus(error, 409) || hasStatus(error, 400)) throw new Refused(`its name or its address: ${error.message}`);
    throw error;
  }
  target.subjects.readAgain();
}

import { type Access, isSame, rolesOf, textOf, USUAL, withoutRoles } from './access.js';
import { foundThere, listOf } from './found.js';
import type { Memory, Sent } from './memory.js';
import { type Key, partsOf } from './resources.js';
import type { Target } from './target.js';
import { teamHash } from './team-step.js';

/** An object there that is not as it was sent. */
export interface Drift {
  readonly key: Key;
  /** What differs, for people. */
  readonly what: string;
  /** What is known of it now. Absent: it is gone there. */
  readonly found: Sent | undefined;
}

/** So many objects are read at a time. The client bounds the requests. */
const AT_ONCE = 16;

/** Reads everything that was sent, and tells what is not as it was: by one or two requests for each object. */
export async function* drifts(target: Target, memory: Memory): AsyncGenerator<Drift, void> {
  const keys = [...memory.keys()];
  for (let first = 0; first < keys.length; first += AT_ONCE) {
    const found = keys.slice(first, first + AT_ONCE).map(async (key) => {
      const sent = memory.get(key);
      const drift = sent && (await driftOf(target, key, sent, memory));
      // What was sent meanwhile is newer than what was read.
      return memory.get(key) === sent ? drift : undefined;
    });
    for (const drift of await Promise.all(found)) if (drift !== undefined) yield drift;
  }
}

async function driftOf(target: Target, key: Key, sent: Sent, memory: Memory): Promise<Drift | undefined> {
  const { kind } = partsOf(key);
  if (kind === 'team') return teamDrift(target, key, sent);
  if (kind === 'preferences') return preferencesDrift(target, key, sent);
  const found = await foundThere(target, key, sent);
  if (found === undefined) return { key, what: 'it is gone', found: undefined };
  const list = await otherList(target, key, sent);
  if (list !== undefined) return { key, what: 'its permissions', found: { ...found, ...list } };
  if (found.folder !== sent.folder) return { key, what: 'its folder', found };
  if (found.hash !== sent.hash) return { key, what: kind === 'folder' ? 'its title' : 'its content', found };
  // Only the version differs: somebody has changed it, and changed it back.
  if (found.version !== sent.version && memory.get(key) === sent) memory.set(key, found);
  return undefined;
}

async function teamDrift(target: Target, key: Key, sent: Sent): Promise<Drift | undefined> {
  const there = sent.id === undefined ? undefined : await target.teams.team(sent.id);
  if (there === undefined) return { key, what: 'it is gone', found: undefined };
  const access = textOf(there.members);
  const found = { ...sent, hash: teamHash(there), access };
  if (access !== sent.access) return { key, what: 'its members', found };
  return found.hash === sent.hash ? undefined : { key, what: 'its name or its address', found };
}

async function preferencesDrift(target: Target, key: Key, sent: Sent): Promise<Drift | undefined> {
  const answered = await target.preferences.hash(sent.id);
  if (answered === undefined) return { key, what: 'its team is gone', found: undefined };
  return answered === sent.answered ? undefined : { key, what: 'its values', found: { ...sent, answered } };
}

/** Its list there, if it is not the one that was sent. */
async function otherList(target: Target, key: Key, sent: Sent): Promise<Pick<Sent, 'access'> | undefined> {
  const { kind, name } = partsOf(key);
  if (kind === 'element') return undefined;
  const found = await target.permissions(kind === 'folder' ? 'folders' : 'dashboards', name);
  const access = kind === 'folder' && sent.folder !== '' ? listOf(found) : textOf(found.own);
  const isAsSent = sent.access === undefined ? isAsNew(found.own, sent) : access === sent.access;
  return isAsSent ? undefined : { access };
}

/** Whether a list is that of a new object. At the root, its creator may be in it, too. */
function isAsNew(own: Access, { folder }: Sent): boolean {
  if (folder !== '') return own.size === 0;
  const others = [...withoutRoles(own)];
  return isSame(rolesOf(own), USUAL) && others.length <= 1 && others.every(([who]) => who.startsWith('user:'));
}

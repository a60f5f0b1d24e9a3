import { rolesOf, textOf, union } from './access.js';
import { hashOf, type Sent } from './memory.js';
import { type Key, partsOf } from './resources.js';
import type { Step } from './step.js';
import type { ElementThere, Permissions, Target } from './target.js';

/** What a folder, or what lies in one, is there now, apart from its permissions. Absent: it is gone. */
export function foundThere(target: Target, key: Key, sent: Sent): Promise<Sent | undefined> {
  const { kind, name } = partsOf(key);
  if (kind === 'team' || kind === 'preferences') throw new Error(`${kind} lies in no folder`);
  return FOUND[kind](target, name, sent);
}

/**
 * The list of a folder there. Absent: it has none of its own, and has what it lies in. What the roles have by a folder
 * above is part of it, because not every server ends that at a folder with a list.
 */
export function listOf({ own, inherited }: Permissions): string | undefined {
  if (own.size === 0 && inherited.size > 0) return undefined;
  return textOf(union(own, rolesOf(inherited)));
}

/** What is known of an object there. What was not confirmed is read first. */
export async function knownOf({ memory, target }: Step, key: Key): Promise<Sent | undefined> {
  const sent = memory.get(key);
  if (sent?.isUnknown !== true) return sent;
  const now = await foundThere(target, key, sent);
  if (now === undefined) {
    memory.delete(key);
    return undefined;
  }
  const { kind, name } = partsOf(key);
  // Its version stays what it was, so that a save finds out whether somebody else has saved it.
  const hash = now.hash === sent.hash && now.folder === sent.folder ? sent.hash : '';
  const { isUnknown: _, access: __, ...others } = sent;
  const known = { ...others, folder: now.folder, hash };
  if (kind === 'element') memory.set(key, known);
  else if (kind === 'folder') {
    const access = listOf(await target.permissions('folders', name));
    memory.set(key, { ...known, ...(access !== undefined && { access }) });
  } else {
    const { own } = await target.permissions('dashboards', name);
    memory.set(key, { ...known, access: textOf(own) });
  }
  return memory.get(key);
}

export function hashThere({ folderUid, name, kind, model }: ElementThere): string {
  return hashOf([folderUid, { name, kind, model }]);
}

async function folderFound(target: Target, name: string, sent: Sent): Promise<Sent | undefined> {
  const there = await target.folder(name);
  if (there === undefined) return undefined;
  return { ...sent, folder: there.parentUid ?? '', hash: hashOf(there.title), version: there.version };
}

async function elementFound(target: Target, name: string, sent: Sent): Promise<Sent | undefined> {
  const there = await target.element(name);
  if (there === undefined) return undefined;
  const { version, folderUid: folder } = there;
  const hash = version === sent.version && folder === sent.folder ? sent.hash : hashThere(there);
  return { ...sent, folder, hash, version };
}

async function dashboardFound(target: Target, name: string, sent: Sent): Promise<Sent | undefined> {
  const there = await target.dashboard(name);
  if (there === undefined) return undefined;
  const { id: _, uid: __, version: ___, ...content } = there.dashboard;
  const folder = there.meta.folderUid ?? '';
  const { version } = there.meta;
  // The other server may have stored it in another form. It is the same as long as nobody has saved it since.
  const hash = version === sent.version && folder === sent.folder ? sent.hash : hashOf([folder, content]);
  return { ...sent, folder, hash, version };
}

const FOUND = { folder: folderFound, element: elementFound, dashboard: dashboardFound } as const;

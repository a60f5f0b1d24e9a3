import {
  type Access,
  accessIn,
  intersection,
  isSame,
  isWithin,
  NOBODY,
  rolesOf,
  textOf,
  USUAL,
  union,
  withoutRoles,
} from './access.js';
import { closeDashboard } from './dashboard-step.js';
import type { FolderNode } from './folders.js';
import { knownOf, listOf } from './found.js';
import { hashOf, type Sent } from './memory.js';
import { CannotClose, Drifted, hasStatus, Kept, Refused } from './refusal.js';
import { type Key, keyOf, partsOf } from './resources.js';
import { noteMissing, type Step } from './step.js';
import type { FolderThere } from './target.js';

/** The list that a folder is to have there, also if it is the one that every folder has. */
function wanted({ source }: Step, { access, parent }: FolderNode): Access {
  return access ?? source.folders.rolesIn(parent);
}

/**
 * Makes a folder there what it is here, as far as nobody gets more than before: what gives more comes after the
 * contents (`widenFolder`). Returns whether something is left for then.
 */
export async function sendFolder(step: Step, node: FolderNode): Promise<boolean> {
  const key = keyOf('folder', node.name);
  const sent = await knownOf(step, key);
  if (sent === undefined) await createFolder(step, node);
  else await narrowFolder(step, node, sent);
  await rename(step, node);
  const now = step.memory.get(key);
  if (now === undefined) return false;
  const isAsWanted = isSame(step.there.folderList(now), wanted(step, node));
  // Who was missing there is not to have anything any more.
  if (isAsWanted) step.partial.delete(key);
  return now.folder !== node.parent || !isAsWanted;
}

/** What gives more: it may show only contents that are what they are here. */
export async function widenFolder(step: Step, node: FolderNode): Promise<void> {
  const sent = await knownOf(step, keyOf('folder', node.name));
  if (sent === undefined) return;
  const closer = [...closerIn(step, node.name, node.roles)];
  if (closer.length > 0 && !(await step.target.closesNested(() => isClosedInOpen(step)))) throw new Refused(INSIDE);
  // Whether they are closed is read there afterwards.
  step.memory.doubt(closer);
  const isMoved = sent.folder !== node.parent;
  if (isMoved) await move(step, node);
  const now = step.memory.get(keyOf('folder', node.name)) ?? sent;
  if (isMoved || !isSame(step.there.folderList(now), wanted(step, node)))
    await setAccess(step, node, wanted(step, node));
}

/**
 * Nobody sees it here while it waits for what it names, so nobody sees it there. What lies in it stays. What users and
 * teams have on a folder above holds in it, too, so it leaves that.
 */
export async function closeFolder(step: Step, name: string): Promise<void> {
  const { memory, there } = step;
  await closeInside(step, name);
  const sent = memory.get(keyOf('folder', name));
  if (sent === undefined || withoutRoles(there.accessIn(sent.folder)).size === 0) return;
  // Without a list of its own, it would be open at the root.
  if (sent.access === undefined) await setAccess(step, { name }, NOBODY);
  await move(step, { name, parent: '' });
}

async function closeInside(step: Step, name: string): Promise<void> {
  const { memory, there } = step;
  for (const inside of memory.in(name)) {
    const { kind, name: below } = partsOf(inside);
    if (kind === 'folder') await closeInside(step, below);
    else if (kind === 'dashboard') await closeDashboard(step, below);
  }
  const sent = await knownOf(step, keyOf('folder', name));
  if (sent !== undefined && there.folderList(sent).size > 0) await setAccess(step, { name }, NOBODY);
}

const INSIDE =
  'it stays closed there, because the other server cannot keep closed what lies in it and is not for everybody here';

/** The folders in it there that are to be closed to roles which it is opened to. */
function* closerIn(step: Step, folder: string, roles: Access): Generator<Key, void> {
  for (const key of step.memory.in(folder)) {
    const { kind, name } = partsOf(key);
    if (kind !== 'folder') continue;
    const node = step.source.folders.node(name);
    if (node !== undefined && !isWithin(roles, node.roles)) yield key;
    yield* closerIn(step, name, roles);
  }
}

/** Whether a folder there was read to be closed to roles that see the folder above it. */
function isClosedInOpen({ memory, there }: Step): boolean {
  for (const key of memory.keys()) {
    const { folder, access, isUnknown, isShut } = memory.get(key) ?? {};
    if (partsOf(key).kind !== 'folder' || !folder || access === undefined || isUnknown || isShut) continue;
    if (!isWithin(there.rolesIn(folder), rolesOf(accessIn(access)))) return true;
  }
  return false;
}

async function narrowFolder(step: Step, node: FolderNode, sent: Sent): Promise<void> {
  const there = step.there.folderList(sent);
  const both = intersection(there, wanted(step, node));
  const isMoving = sent.folder !== node.parent;
  // A folder without a list of its own has after a move what its new parent has.
  const needsList = isMoving && sent.access === undefined && node.access !== undefined;
  if (needsList || sent.isShut === true || !isSame(both, there)) await setAccess(step, node, both);
  if (isMoving && isEarly(step, node, sent, both)) await move(step, node);
}

/** A move that lets more people see it waits for its contents. One that does both cannot be divided, and is early. */
function isEarly({ there }: Step, { parent }: FolderNode, { folder }: Sent, list: Access): boolean {
  const before = union(there.accessIn(folder), list);
  const after = union(there.accessIn(parent), list);
  return isWithin(after, before) || !isWithin(before, after);
}

/** A folder that is closed here has no title there until it is closed, because everybody sees a new folder. */
async function createFolder(step: Step, node: FolderNode): Promise<void> {
  const { target, memory, spec } = step;
  const list = wanted(step, node);
  const parentRoles = step.there.rolesIn(node.parent);
  const isClosed = !isWithin(node.parent === '' ? USUAL : parentRoles, rolesOf(list));
  const title = isClosed ? node.name : node.title;
  const key = keyOf('folder', node.name);
  const isOurs = memory.isOwn(key);
  await step.begin(key, node.parent);
  try {
    const version = await target.createFolder(node.name, title, node.parent);
    memory.set(key, { folder: node.parent, hash: hashOf(title), version });
  } catch (error) {
    if (!hasStatus(error, 412) && !hasStatus(error, 409)) throw error;
    const there = await target.folder(node.name);
    if (there === undefined) throw error;
    memory.disown(key);
    if (!isOurs && spec.existing === 'Keep') throw new Kept();
    await adopt(step, node, there, isOurs);
    return narrowFolder(step, node, memory.get(key) ?? { folder: node.parent, hash: '' });
  }
  if (node.access !== undefined) await setAccess(step, node, list);
}

async function adopt(
  { target, memory }: Step,
  { name }: FolderNode,
  there: FolderThere,
  isOurs: boolean,
): Promise<void> {
  const access = listOf(await target.permissions('folders', name));
  const { title, version, parentUid: folder = '' } = there;
  const adopted = isOurs ? {} : { isAdopted: true as const };
  memory.set(keyOf('folder', name), {
    folder,
    hash: hashOf(title),
    version,
    ...(access !== undefined && { access }),
    ...adopted,
  });
}

async function rename(step: Step, { name, title }: FolderNode): Promise<void> {
  const { target, memory } = step;
  const key = keyOf('folder', name);
  const sent = memory.get(key);
  if (sent === undefined || sent.hash === hashOf(title)) return;
  const put = (version: number | undefined): void => memory.set(key, { ...sent, hash: hashOf(title), version });
  try {
    put(await target.changeFolder(name, title, sent.version));
  } catch (error) {
    if (!hasStatus(error, 412)) throw error;
    const there = await target.folder(name);
    if (there === undefined) throw error;
    if (sent.version !== undefined && step.spec.check?.drift === 'Report') throw new Drifted('its title');
    put(there.title === title ? there.version : await target.changeFolder(name, title, there.version));
  }
}

async function move(step: Step, { name, parent }: Pick<FolderNode, 'name' | 'parent'>): Promise<void> {
  const { target, memory } = step;
  const key = keyOf('folder', name);
  const version = await target.moveFolder(name, parent);
  const sent = memory.get(key);
  if (sent !== undefined) memory.set(key, { ...sent, folder: parent, version });
}

/**
 * Sets a list. If it closes the folder to roles, the other server is asked whether it did: not every one can. Until it
 * has said so, the list is not known.
 */
async function setAccess(step: Step, { name }: Pick<FolderNode, 'name'>, access: Access): Promise<void> {
  const { target, memory } = step;
  const key = keyOf('folder', name);
  await step.begin(key);
  const allowed = step.allowed(access, key);
  const known = await target.setPermissions('folders', name, allowed);
  noteMissing(step, key, access, known);
  const sent = memory.get(key);
  if (sent === undefined) return;
  const { isUnknown: _, isShut: __, ...others } = sent;
  // To change who has what is a change of the folder on some servers, and gives it a new version.
  const done = { ...others, access: textOf(known), version: undefined };
  if (isWithin(USUAL, access)) return memory.set(key, done);
  const { own, inherited } = await target.permissions('folders', name);
  const there = await target.folder(name);
  const isShut = !isWithin(rolesOf(union(own, inherited)), rolesOf(access));
  memory.set(key, { ...done, version: there?.version, ...(isShut && { isShut }) });
  if (isShut) throw new CannotClose();
}

/** A folder is deleted only when it is empty, because others may have put something into it. */
export async function deleteFolder({ target, memory }: Step, name: string): Promise<void> {
  if (memory.in(name).length > 0) throw new Refused('what lies in it there is not deleted yet');
  const counts = await target.contentsOf(name);
  if (counts !== undefined) {
    const left = Object.entries(counts).filter(([, count]) => count > 0);
    if (left.length > 0)
      throw new Refused(
        `others have put something into it there: ${left.map(([what, n]) => `${n} ${what}`).join(', ')}`,
      );
    await target.deleteFolder(name);
  }
  memory.delete(keyOf('folder', name));
}

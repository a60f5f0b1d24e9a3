import { type Access, intersection, isSame, isWithin, NOBODY, rolesOf, textOf, USUAL, union } from './access.js';
import { knownOf } from './found.js';
import { hashOf, type Sent } from './memory.js';
import { Drifted, hasStatus, isNameTaken, Kept, Refused } from './refusal.js';
import { keyOf } from './resources.js';
import type { DashboardNode } from './source.js';
import { noteMissing, type Step } from './step.js';
import type { DashboardThere } from './target.js';

/** Makes a dashboard there what it is here. Access is narrowed before the content comes, and widened after it. */
export async function sendDashboard(step: Step, node: DashboardNode): Promise<void> {
  const key = keyOf('dashboard', node.name);
  const sent = (await knownNow(step, node)) ?? (await firstSent(step, node));
  await narrow(step, node, sent);
  const now = step.memory.get(key) ?? sent;
  if (now.hash !== node.hash) await save(step, node, now.version);
  await widen(step, node, (sent.folder === '') !== (node.folder === ''));
}

/** A save creates what is not there any more, and everybody sees what is new at the root. So it is looked for first. */
async function knownNow(step: Step, node: DashboardNode): Promise<Sent | undefined> {
  const key = keyOf('dashboard', node.name);
  const { memory } = step;
  const before = memory.get(key);
  if (before === undefined || before.isUnknown || !isHidden(node) || before.hash === node.hash)
    return knownOf(step, key);
  memory.doubt([key]);
  const now = await knownOf(step, key);
  // What somebody has saved meanwhile is found when it is saved.
  if (now?.folder === before.folder) memory.set(key, { ...now, hash: before.hash });
  return memory.get(key);
}

/** Whether it is at the root, and not for everybody. */
const isHidden = (node: DashboardNode): boolean => node.folder === '' && !isWithin(USUAL, wanted(node));

const wanted = ({ access, folder }: DashboardNode): Access => access ?? (folder === '' ? USUAL : NOBODY);

async function narrow(step: Step, node: DashboardNode, sent: Sent): Promise<void> {
  // At the root, the roles get what they usually have. So nothing is shown until the list is right.
  if (sent.folder !== '' && node.folder === '' && node.access !== undefined)
    return placeholder(step, node, sent.version);
  const isGoingIn = sent.folder === '' && node.folder !== '';
  // What it has at the root would open it in a folder that is closed. In another one, nobody loses anything.
  const keepsRoles = isGoingIn && isWithin(USUAL, step.there.rolesIn(node.folder));
  const there = step.there.dashboardList(sent);
  const both = intersection(there, keepsRoles ? union(rolesOf(there), wanted(node)) : wanted(node));
  if (!isSame(both, there)) await setAccess(step, node, both);
}

/** `isElsewhere`: it came to the root or left it, so its list is not known. */
async function widen(step: Step, node: DashboardNode, isElsewhere: boolean): Promise<void> {
  const key = keyOf('dashboard', node.name);
  const sent = step.memory.get(key);
  if (sent === undefined) return;
  if (isElsewhere || !isSame(step.there.dashboardList(sent), wanted(node))) await setAccess(step, node, wanted(node));
  // Who was missing there is not to have anything any more.
  else step.partial.delete(key);
}

/** What users and teams have on it by itself is taken away, while its folder waits. */
export async function closeDashboard(step: Step, name: string): Promise<void> {
  const sent = await knownOf(step, keyOf('dashboard', name));
  if (sent === undefined || sent.folder === '' || step.there.dashboardList(sent).size === 0) return;
  await setAccess(step, { name, folder: sent.folder }, NOBODY);
}

async function setAccess(
  step: Step,
  { name, folder }: Pick<DashboardNode, 'name' | 'folder'>,
  access: Access,
): Promise<void> {
  const { target, memory } = step;
  const key = keyOf('dashboard', name);
  await step.begin(key);
  const known = await target.setPermissions('dashboards', name, step.allowed(access, key));
  noteMissing(step, key, access, known);
  const { isUnknown: _, ...sent } = memory.get(key) ?? { folder, hash: '' };
  memory.set(key, { ...sent, access: textOf(known) });
}

/** A new dashboard at the root that is closed here is empty, and has no title, until it is closed there. */
async function firstSent(step: Step, node: DashboardNode): Promise<Sent> {
  if (node.folder !== '' || node.access === undefined) return { folder: node.folder, hash: '' };
  await placeholder(step, node, undefined);
  return step.memory.get(keyOf('dashboard', node.name)) ?? { folder: '', hash: '' };
}

async function placeholder(step: Step, node: DashboardNode, version: number | undefined): Promise<void> {
  const content = { title: node.name, panels: [] };
  await save(step, { ...node, content, hash: '' }, version);
  const sent = step.memory.get(keyOf('dashboard', node.name));
  if (sent === undefined || sent.hash !== '') return;
  await setAccess(step, node, intersection(USUAL, wanted(node)));
}

async function save(step: Step, node: DashboardNode, version: number | undefined): Promise<void> {
  const { target, memory, message } = step;
  const { name, folder, content } = node;
  const key = keyOf('dashboard', name);
  const isOurs = memory.isOwn(key);
  await step.begin(key, folder);
  const send = async (before: number | undefined): Promise<void> =>
    saved(step, node, before, await target.saveDashboard({ uid: name, folder, content, version: before, message }));
  try {
    await send(version);
  } catch (error) {
    if (!hasStatus(error, 412) || isNameTaken(error)) throw error;
    const there = await target.dashboard(name);
    if (there === undefined) {
      memory.delete(key);
      if (isHidden(node) && node.hash !== '') throw new Refused('it was deleted there, and is sent again');
      return send(undefined);
    }
    await takeOver(step, node, there, isOurs);
    if (memory.get(key)?.hash !== node.hash) await send(there.meta.version);
  }
}

async function saved(step: Step, node: DashboardNode, before: number | undefined, version: number | undefined) {
  const { memory } = step;
  const { name, folder, hash } = node;
  const key = keyOf('dashboard', name);
  const old = memory.get(key);
  const isElsewhere = old !== undefined && (old.folder === '') !== (folder === '');
  const { access, isAdopted } = old ?? {};
  memory.set(key, {
    folder,
    hash,
    version,
    ...(access !== undefined && { access }),
    ...(isAdopted && { isAdopted }),
    // What its list becomes by a move from or to the root is not known.
    ...(isElsewhere && { isUnknown: true as const }),
  });
  const isNew = before !== undefined && version !== undefined && version <= before;
  // Somebody has deleted it since it was looked for.
  if (isNew && isHidden(node)) await setAccess(step, node, intersection(USUAL, wanted(node)));
}

/** The dashboard there is not the one that was sent last. */
async function takeOver(
  step: Step,
  node: DashboardNode,
  { dashboard, meta }: DashboardThere,
  isOurs: boolean,
): Promise<void> {
  const { memory, spec, target } = step;
  const key = keyOf('dashboard', node.name);
  const before = memory.get(key);
  memory.disown(key);
  if (!isOurs && spec.existing === 'Keep') throw new Kept();
  const { id: _, uid: __, version: ___, ...content } = dashboard;
  const { folderUid: folder = '', version } = meta;
  const hash = hashOf([folder, content]);
  // Who may see it is more than what somebody has changed in it: it is not left where it may not be.
  const isLeft = spec.check?.drift === 'Report' && folder === node.folder && hash !== node.hash;
  if (before !== undefined && before.hash !== '' && isLeft) {
    const { isUnknown: _____, ...known } = before;
    memory.set(key, known);
    throw new Drifted('its content');
  }
  const isAdopted = before === undefined ? !isOurs : before.isAdopted === true;
  const access = textOf((await target.permissions('dashboards', node.name)).own);
  const now: Sent = { folder, hash, version, access, ...(isAdopted && { isAdopted }) };
  memory.set(key, now);
  if (isHidden(node) && folder !== '' && node.hash !== '')
    throw new Refused('somebody has moved it there, and it is sent again');
  if (node.hash !== '') await narrow(step, node, now);
}

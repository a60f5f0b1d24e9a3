import { type Access, intersection, isSame, isWithin, NOBODY, textOf, USUAL } from './access.js';
import { hashOf, type Sent } from './memory.js';
import { Drifted, hasStatus, isNameTaken, Kept } from './refusal.js';
import { keyOf } from './resources.js';
import type { DashboardNode } from './source.js';
import type { Step } from './step.js';
import type { DashboardThere } from './target.js';

/** Makes a dashboard there what it is here. Access is narrowed before the content comes, and widened after it. */
export async function sendDashboard(step: Step, node: DashboardNode): Promise<void> {
  const key = keyOf('dashboard', node.name);
  const sent = step.memory.get(key) ?? (await firstSent(step, node));
  await narrow(step, node, sent);
  const now = step.memory.get(key) ?? sent;
  if (now.hash !== node.hash) await save(step, node, now.version);
  await widen(step, node, (sent.folder === '') !== (node.folder === ''));
}

const wanted = ({ access, folder }: DashboardNode): Access => access ?? (folder === '' ? USUAL : NOBODY);

async function narrow(step: Step, node: DashboardNode, sent: Sent): Promise<void> {
  // At the root, the roles get what they usually have. So nothing is shown until the list is right.
  if (sent.folder !== '' && node.folder === '' && node.access !== undefined)
    return placeholder(step, node, sent.version);
  const isGoingIn = sent.folder === '' && node.folder !== '';
  // What it has at the root would open it in a folder that is closed. In another one, nobody loses anything.
  if (isGoingIn && isWithin(USUAL, step.there.rolesIn(node.folder))) return;
  const there = step.there.dashboardList(sent);
  const both = intersection(there, wanted(node));
  if (!isSame(both, there)) await setAccess(step, node, both);
}

/** `isElsewhere`: it came to the root or left it, so its list is not known. */
async function widen(step: Step, node: DashboardNode, isElsewhere: boolean): Promise<void> {
  const sent = step.memory.get(keyOf('dashboard', node.name));
  if (sent === undefined || (!isElsewhere && isSame(step.there.dashboardList(sent), wanted(node)))) return;
  await setAccess(step, node, wanted(node));
}

async function setAccess({ target, memory }: Step, { name }: DashboardNode, access: Access): Promise<void> {
  const key = keyOf('dashboard', name);
  const known = await target.setPermissions('dashboards', name, access);
  const sent = memory.get(key);
  if (sent !== undefined) memory.set(key, { ...sent, access: textOf(known) });
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
  const { name, folder, content, hash } = node;
  const key = keyOf('dashboard', name);
  const put = (after: number | undefined) => {
    const { access } = memory.get(key) ?? {};
    const isInSamePlace = (memory.get(key)?.folder ?? folder) === folder;
    memory.set(key, { folder, hash, version: after, ...(isInSamePlace && access !== undefined && { access }) });
  };
  try {
    put(await target.saveDashboard({ uid: name, folder, content, version, message }));
  } catch (error) {
    if (!hasStatus(error, 412) || isNameTaken(error)) throw error;
    const there = await target.dashboard(name);
    if (there === undefined) {
      put(await target.saveDashboard({ uid: name, folder, content, version: undefined, message }));
      return;
    }
    await takeOver(step, node, there);
    if (memory.get(key)?.hash === hash) return;
    put(await target.saveDashboard({ uid: name, folder, content, version: there.meta.version, message }));
  }
}

/** The dashboard there is not the one that was sent last. */
async function takeOver(step: Step, node: DashboardNode, { dashboard, meta }: DashboardThere): Promise<void> {
  const { memory, spec, target } = step;
  const key = keyOf('dashboard', node.name);
  const before = memory.get(key);
  if (before === undefined && spec.existing === 'Keep') throw new Kept();
  if (before !== undefined && before.hash !== '' && spec.check?.drift === 'Report') throw new Drifted('its content');
  const { id: _, uid: __, version: ___, ...content } = dashboard;
  const folder = meta.folderUid ?? '';
  const access = before === undefined ? textOf((await target.permissions('dashboards', node.name)).own) : before.access;
  memory.set(key, { folder, hash: hashOf([folder, content]), version: meta.version, access });
  if (before === undefined) await narrow(step, node, { folder, hash: '', version: meta.version, access });
}

import { hashThere, knownOf } from './found.js';
import type { Sent } from './memory.js';
import { Drifted, hasStatus, Kept } from './refusal.js';
import { keyOf } from './resources.js';
import type { ElementNode } from './source.js';
import type { Step } from './step.js';
import type { ElementThere } from './target.js';

/** Makes a library element there what it is here. */
export async function sendElement(step: Step, node: ElementNode): Promise<void> {
  const sent = await knownOf(step, keyOf('element', node.name));
  if (sent === undefined) return create(step, node);
  if (sent.hash !== node.hash) await change(step, node, sent);
}

async function create(step: Step, node: ElementNode): Promise<void> {
  const { target, spec, memory } = step;
  const key = keyOf('element', node.name);
  const isOurs = memory.isOwn(key);
  await step.begin(key, node.folder);
  try {
    put(step, node, await target.createElement(node.name, node.folder, node.content));
  } catch (error) {
    // The API answers 400 if the uid is in use, and also for what is wrong.
    if (!hasStatus(error, 400)) throw error;
    const there = await target.element(node.name);
    if (there === undefined) throw error;
    memory.disown(key);
    if (!isOurs && spec.existing === 'Keep') throw new Kept();
    await replace(step, node, there, isOurs ? {} : { isAdopted: true });
  }
}

async function change(step: Step, node: ElementNode, { version, isAdopted }: Sent): Promise<void> {
  const { target, spec } = step;
  const adopted = isAdopted ? { isAdopted } : {};
  try {
    put(step, node, await target.changeElement(node.name, node.folder, node.content, version ?? 0), adopted);
  } catch (error) {
    if (!hasStatus(error, 412)) throw error;
    const there = await target.element(node.name);
    if (there === undefined) throw error;
    const isLeft = spec.check?.drift === 'Report' && there.folderUid === node.folder;
    if (isLeft && hashThere(there) !== node.hash) throw new Drifted('its content');
    await replace(step, node, there, adopted);
  }
}

async function replace(step: Step, node: ElementNode, there: ElementThere, adopted: Pick<Sent, 'isAdopted'>) {
  const { target } = step;
  const isSame = hashThere(there) === node.hash;
  const changed = isSame ? there : await target.changeElement(node.name, node.folder, node.content, there.version);
  put(step, node, changed, adopted);
}

function put(
  { memory }: Step,
  { name, folder, hash }: ElementNode,
  { version }: ElementThere,
  adopted: Pick<Sent, 'isAdopted'> = {},
): void {
  memory.set(keyOf('element', name), { folder, hash, version, ...adopted });
}

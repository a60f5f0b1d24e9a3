import { hashOf } from './memory.js';
import { Drifted, hasStatus, Kept } from './refusal.js';
import { keyOf } from './resources.js';
import type { ElementNode } from './source.js';
import type { Step } from './step.js';
import type { ElementThere } from './target.js';

/** Makes a library element there what it is here. */
export async function sendElement(step: Step, node: ElementNode): Promise<void> {
  const sent = step.memory.get(keyOf('element', node.name));
  if (sent === undefined) return create(step, node);
  if (sent.hash !== node.hash) await change(step, node, sent.version);
}

async function create(step: Step, node: ElementNode): Promise<void> {
  const { target, spec } = step;
  try {
    put(step, node, await target.createElement(node.name, node.folder, node.content));
  } catch (error) {
    // The API answers 400 if the uid is in use, and also for what is wrong.
    if (!hasStatus(error, 400)) throw error;
    const there = await target.element(node.name);
    if (there === undefined) throw error;
    if (spec.existing === 'Keep') throw new Kept();
    await replace(step, node, there);
  }
}

async function change(step: Step, node: ElementNode, version: number | undefined): Promise<void> {
  const { target, spec } = step;
  try {
    put(step, node, await target.changeElement(node.name, node.folder, node.content, version ?? 0));
  } catch (error) {
    if (!hasStatus(error, 412)) throw error;
    const there = await target.element(node.name);
    if (there === undefined) throw error;
    if (spec.check?.drift === 'Report' && hashThere(there) !== node.hash) throw new Drifted('its content');
    await replace(step, node, there);
  }
}

async function replace(step: Step, node: ElementNode, there: ElementThere): Promise<void> {
  const { target } = step;
  const isSame = hashThere(there) === node.hash;
  const changed = isSame ? there : await target.changeElement(node.name, node.folder, node.content, there.version);
  put(step, node, changed);
}

export function hashThere({ folderUid, name, kind, model }: ElementThere): string {
  return hashOf([folderUid, { name, kind, model }]);
}

function put({ memory }: Step, { name, folder, hash }: ElementNode, { version }: ElementThere): void {
  memory.set(keyOf('element', name), { folder, hash, version });
}

import { type Key, partsOf } from './resources.js';
import type { Step } from './step.js';

/** Whether what lies in a folder there is not what it is here. */
export function hasPending(step: Step, folder: string): boolean {
  const { memory, queue } = step;
  if (memory.mayHold(folder)) return true;
  return memory.in(folder).some((key) => queue.has(key) || isFolderPending(step, key));
}

function isFolderPending(step: Step, key: Key): boolean {
  const { kind, name } = partsOf(key);
  return kind === 'folder' && hasPending(step, name);
}

import { setImmediate as turn } from 'node:timers/promises';
import type { Memory } from './memory.js';
import type { Step } from './step.js';
import type { Store } from './store.js';

/** Stores what is begun before it is sent. What is begun at the same time is stored in one commit. */
export function beginIn(memory: Memory, store: Store): Step['begin'] {
  let beginning: Promise<void> | undefined;
  const save = async (): Promise<void> => {
    await turn();
    beginning = undefined;
    try {
      await store.saveBegun(memory);
    } catch (error) {
      memory.beginAgain();
      throw error;
    }
  };
  return async (key, folder) => {
    if (!memory.begin(key, folder)) return;
    beginning ??= save();
    await beginning;
  };
}

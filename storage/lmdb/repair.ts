import type { Held, Repair } from '../snapshot.js';
import { commitAlone } from './commit.js';
import { checkFormat } from './format.js';
import { objectsOf } from './held.js';
import { wrongIndexes } from './indexes.js';
import { openExclusively } from './lock.js';
import { type Operation, planObjects } from './plan.js';
import { type End, META } from './tables.js';

const BATCH = 1000;

/** Each step can be repeated, so an interrupted repair leaves nothing worse than it was. */
export async function openLmdbRepair(path: string): Promise<Repair> {
  const { tables, release } = openExclusively(path);
  try {
    checkFormat(tables, path);
  } catch (error) {
    await release();
    throw error;
  }
  const write = async (operations: readonly Operation[]): Promise<void> => {
    const { end } = tables.meta.get(META.end) as End;
    if (operations.length > 0) await commitAlone(tables, path, end, operations);
  };
  return {
    objects: () => objectsOf(tables),
    put: (objects: readonly Held[]) => write(planObjects(tables, objects)),
    reindex: async () => {
      let operations: Operation[] = [];
      for await (const { operation } of wrongIndexes(tables)) {
        operations.push(operation);
        if (operations.length < BATCH) continue;
        await write(operations);
        operations = [];
      }
      await write(operations);
    },
    close: release,
  };
}

import { wordsOf } from '../../../lib/api.js';
import { tell } from '../../../ui/toasts.js';
import { quoted } from '../model/words.js';
import type { Dragged } from '../tree/drag.js';

/** Requests that run at the same time. */
const AT_ONCE = 4;
/** The most objects that a message names. */
const MOST_NAMED = 3;

export interface Outcome<Item, Result> {
  readonly item: Item;
  readonly result?: Result;
  readonly error?: unknown;
}

/**
 * Does something with each of several objects, a few at a time. What fails keeps nothing else from being done. Rejects
 * when the signal is aborted.
 */
export async function each<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly Outcome<Item, Result>[]> {
  const outcomes: Outcome<Item, Result>[] = [];
  const left = items.map((item, index) => ({ item, index }));
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      signal?.throwIfAborted();
      const { item, index } = next;
      outcomes[index] = await run(item).then(
        (result) => ({ item, result }),
        (error: unknown) => ({ item, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

export const isDone = ({ error }: Outcome<unknown, unknown>): boolean => error === undefined;

/** Tells what was done, and offers to undo it if something was. */
export function tellDone(outcomes: readonly Outcome<Dragged, unknown>[], was: string, undo: () => unknown): void {
  tell(summaryOf(outcomes, was), outcomes.some(isDone) ? { label: 'Undo', run: undo } : undefined);
}

/** `3 of 4 were moved. “Orders” not: …` */
export function summaryOf(outcomes: readonly Outcome<Dragged, unknown>[], was: string): string {
  const failed = outcomes.filter((one) => !isDone(one));
  const done = outcomes.length - failed.length;
  const count = failed.length === 0 ? String(done) : `${done} of ${outcomes.length}`;
  const reasons = failed.slice(0, MOST_NAMED).map(({ item, error }) => `${quoted(item.title)} not: ${wordsOf(error)}`);
  return [`${count} ${done === 1 && failed.length === 0 ? 'was' : 'were'} ${was}.`, ...reasons].join(' ');
}

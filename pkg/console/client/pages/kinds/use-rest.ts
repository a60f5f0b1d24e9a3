import { useEffect } from 'preact/hooks';
import type { Live, LiveState } from '../../lib/live.js';
import { report } from '../../ui/toasts.js';
import type { Row } from './table.js';

/** Objects of a page while the rest is loaded, and the most rows that are loaded without being asked. */
export const [LARGE_PAGE, MOST_UNASKED] = [2000, 5000];

/**
 * Loads what is missing of a list that is sorted or filtered here, if it is not long: an answer that only knows a part
 * of the rows would be wrong. Returns whether more is on its way.
 */
export function useRest(state: LiveState<Row>, more: Live<Row>['more'] | undefined, isArranged: boolean): boolean {
  const { phase, hasMore, items, remaining } = state;
  // The server does not count the rest of a list with a selector.
  const isShort = Math.max(items.size + remaining, items.size + 1) <= MOST_UNASKED;
  const isWanted = phase === 'live' && isArranged && hasMore && isShort && more !== undefined;
  useEffect(() => {
    if (isWanted) more(LARGE_PAGE).catch(report);
  }, [isWanted, more, items.size]);
  return isWanted;
}

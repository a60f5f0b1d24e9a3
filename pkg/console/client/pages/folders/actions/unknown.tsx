import { wordsOf } from '../../../lib/api.js';
import { quoted } from '../model/words.js';
import type { Dragged } from '../tree/drag.js';
import type { Outcome } from './each.js';

/** The most objects that are named. */
const MOST_NAMED = 5;

interface Props {
  readonly outcomes: readonly Outcome<Dragged, unknown>[];
  readonly onRetry: () => void;
}

/** The objects of which the server did not say what would happen, why, and a button that asks again. */
export function Unknown({ outcomes, onRetry }: Props) {
  if (outcomes.length === 0) return null;
  const more = outcomes.length - MOST_NAMED;
  return (
    <div class="notice danger" role="alert">
      <div class="stack tight grow">
        {outcomes.slice(0, MOST_NAMED).map(({ item, error }) => (
          <p key={`${item.kind} ${item.name}`} dir="auto">
            {quoted(item.title)}: {wordsOf(error)}
          </p>
        ))}
        {more > 0 && <p>And {more} more.</p>}
      </div>
      <button type="button" class="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

import { LongText } from '../../ui/long-text.js';
import type { Query } from './panels.js';

/** A query, for reading. */
export function QueryLine({ query: { refId, text, isHidden } }: { readonly query: Query }) {
  return (
    <p class="board-query">
      {refId !== '' && <span class="muted">{refId.slice(0, 20)}</span>}
      <code class="mono">
        <LongText text={text} />
      </code>
      {isHidden && <span class="chip">hidden</span>}
    </p>
  );
}

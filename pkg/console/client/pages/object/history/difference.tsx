import { useMemo, useState } from 'preact/hooks';
import { later } from '../../../lib/later.js';
import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import type { Part, Row, Side } from './compare.js';
import './style.css';

interface Props {
  readonly before: string;
  readonly after: string;
  /** The names of the sides. */
  readonly labels: readonly [before: string, after: string];
}

/** Rows that are drawn at first. Each press of the button draws twice as many more. */
const AT_ONCE = 400;

/** Two texts side by side, with equal parts folded. The code that compares them is loaded on demand. */
export function Difference({ before, after, labels }: Props) {
  const { state, reload } = useLoad(async () => {
    const { compare, folded } = await later(() => import('./compare.js'));
    const comparison = compare(before, after);
    return { ...comparison, parts: folded(comparison.rows) };
  }, [before, after]);
  const { phase, value, error } = state.value;
  if (phase === 'failed') return <Failure error={error} onRetry={reload} />;
  if (phase === 'loading') return <Skeleton rows={8} label="Comparing" />;
  const { added, removed, parts } = value;
  if (added + removed === 0) return <p class="muted">Nothing differs, except what the server sets by itself.</p>;
  return (
    <section class="difference" aria-label={`Difference from ${labels[0]} to ${labels[1]}`}>
      <p class="difference-sum" role="status">
        <span class="difference-added">+{added}</span> <span class="difference-removed">−{removed}</span> lines
      </p>
      <div class="difference-names" aria-hidden="true">
        <span>{labels[0]}</span>
        <span>{labels[1]}</span>
      </div>
      <Parts key={`${before.length}/${after.length}/${added}/${removed}`} parts={parts} />
    </section>
  );
}

function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(AT_ONCE);
  const shown = useMemo(() => partsWithin(parts, open, most), [parts, open, most]);
  return (
    <div class="difference-box">
      {shown.parts.map(({ index, part, rows }) =>
        'folded' in part && !open.has(index) ? (
          <button key={index} type="button" class="difference-fold" onClick={() => setOpen(new Set(open).add(index))}>
            Show {part.folded.length} equal lines
          </button>
        ) : (
          rows.map((row) => <Line key={`${row.left?.line ?? ''}/${row.right?.line ?? ''}`} row={row} />)
        ),
      )}
      {shown.left > 0 && (
        <div class="difference-more">
          <Button onPress={() => setMost(most + 2 * AT_ONCE)}>Show more of {shown.left} further lines</Button>
        </div>
      )}
    </div>
  );
}

interface ShownPart {
  readonly index: number;
  readonly part: Part;
  readonly rows: readonly Row[];
}

/** The first rows that may be drawn, and the number of rows that are left. */
function partsWithin(
  parts: readonly Part[],
  open: ReadonlySet<number>,
  most: number,
): { readonly parts: readonly ShownPart[]; readonly left: number } {
  const shown: ShownPart[] = [];
  let [room, left] = [most, 0];
  for (const [index, part] of parts.entries()) {
    const all = 'rows' in part ? part.rows : open.has(index) ? part.folded : [];
    const rows = all.slice(0, Math.max(0, room));
    if (room > 0) shown.push({ index, part, rows });
    room -= all.length;
    left += all.length - rows.length;
  }
  return { parts: shown, left };
}

function Line({ row: { left, right, isSame } }: { readonly row: Row }) {
  return (
    <div class="difference-line">
      <Cell side={left} sign={isSame ? ' ' : '−'} look={isSame ? '' : left === undefined ? 'none' : 'removed'} />
      <Cell side={right} sign={isSame ? ' ' : '+'} look={isSame ? 'same' : right === undefined ? 'none' : 'added'} />
    </div>
  );
}

const WORDS: Readonly<Record<string, string>> = { removed: 'removed: ', added: 'added: ' };

function Cell({ side, sign, look }: { readonly side: Side | undefined; readonly sign: string; readonly look: string }) {
  if (side === undefined) return <div class={`difference-cell ${look}`} />;
  return (
    <div class={`difference-cell ${look}`}>
      <span class="difference-number" aria-hidden="true">
        {side.line}
      </span>
      <span class="difference-sign" aria-hidden="true">
        {sign}
      </span>
      <code>
        {WORDS[look] !== undefined && <span class="sr-only">{WORDS[look]}</span>}
        {side.pieces.map(({ text, isChanged }, index) => (isChanged ? <mark key={index}>{text}</mark> : text))}
      </code>
    </div>
  );
}

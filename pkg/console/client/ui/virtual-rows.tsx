import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly height: number;
  readonly render: (row: Row, index: number) => ComponentChildren;
  /** Is called when the last rows are near the view. */
  readonly onEnd?: (() => void) | undefined;
  readonly class?: string;
  readonly role?: JSX.AriaRole;
  readonly label?: string;
  /** The index of a row. When it changes, the row is scrolled into view. */
  readonly shown?: number | undefined;
  /** Further attributes of the box that is scrolled, such as handlers of keys. */
  readonly attributes?: JSX.HTMLAttributes<HTMLDivElement>;
  /** Stays above the rows. `headHeight` is its height in pixels. */
  readonly head?: ComponentChildren;
  readonly headHeight?: number;
}

/** Rows that are drawn above and below the visible ones, so that a quick scroll shows no gap. */
const BEYOND = 12;
/** After so many scrolled rows, others are drawn. A list that is scrolled proportionally is drawn at each scroll. */
const STEP = 4;
/** Pixels. Browsers draw nothing below about 16 million, so a taller list is scrolled proportionally. */
const TALLEST = 8_000_000;

/** Draws only the rows in view. All rows have one height. */
export function VirtualRows<Row>({
  rows,
  height,
  render,
  onEnd,
  class: own = '',
  role = 'presentation',
  label,
  shown,
  attributes = {},
  head,
  headHeight = 0,
}: Props<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      const [now, room] = [element.scrollTop, element.clientHeight];
      const stepOf = (pixels: number): number => Math.floor(pixels / (STEP * height));
      const isScaled = element.scrollHeight > TALLEST;
      setView((old) =>
        !isScaled && old.height === room && stepOf(old.top) === stepOf(now) ? old : { top: now, height: room },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const named = { role, tabIndex: 0, ...(label !== undefined && { 'aria-label': label }) };
  const whole = rows.length * height;
  const tall = Math.min(whole, TALLEST);
  const scale = whole > tall && tall > view.height ? (whole - view.height) / (tall - view.height) : 1;
  const top = view.top * scale;
  const first = Math.max(0, Math.floor(top / height) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((top + view.height) / height) + BEYOND);
  const isNearEnd = last >= rows.length - BEYOND;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, rows.length, onEnd]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || shown === undefined || shown < 0) return;
    const [from, room] = [element.scrollTop * scale, element.clientHeight - headHeight];
    const [start, end] = [shown * height, (shown + 1) * height];
    if (start < from) element.scrollTop = start / scale;
    else if (end > from + room) element.scrollTop = (end - room) / scale;
  }, [shown]);
  return (
    <div ref={box} class={`virtual ${own}`} {...named} {...attributes}>
      {head}
      <div class="virtual-space" style={{ height: `${tall}px` }}>
        <div class="virtual-window" style={{ transform: `translateY(${view.top + (first * height - top)}px)` }}>
          {rows.slice(first, last).map((row, index) => render(row, first + index))}
        </div>
      </div>
    </div>
  );
}

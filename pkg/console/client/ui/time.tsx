import { dateAndTime } from '../lib/formats.js';
import { relativeTime } from '../lib/relative-time.js';

/** A time in words, with the exact time as a tooltip. */
export function Time({ at }: { readonly at: string | number | undefined }) {
  if (at === undefined || at === '') return null;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={date.toISOString()} title={dateAndTime(date)}>
      {relativeTime(date)}
    </time>
  );
}

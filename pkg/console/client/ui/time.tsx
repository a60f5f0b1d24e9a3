import { signal } from '@preact/signals';
import { dateAndTime } from '../lib/formats.js';
import { relativeTime } from '../lib/relative-time.js';

/** Milliseconds after which the words of all times are made again. */
const EVERY = 20_000;
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, EVERY);
document.addEventListener('visibilitychange', () => (now.value = Date.now()));

/** A time in words, with the exact time as a tooltip. */
export function Time({ at }: { readonly at: string | number | undefined }) {
  if (at === undefined || at === '') return null;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={date.toISOString()} title={dateAndTime(date)}>
      {relativeTime(date, Math.max(now.value, Date.now()))}
    </time>
  );
}

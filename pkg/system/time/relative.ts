import dayjs from 'dayjs';
import quarterOfYear from 'dayjs/plugin/quarterOfYear.js';
import utc from 'dayjs/plugin/utc.js';
import { UNITS, type Unit } from './units.js';

dayjs.extend(utc);
dayjs.extend(quarterOfYear);

const MILLISECONDS = /^-?[0-9]{1,15}$/;
const STEP = /([+-])([0-9]{1,6})([smhdwMQy])|\/([smhdwMQy])/g;
const RELATIVE = new RegExp(`^now(?:${STEP.source}){0,8}$`);

/**
 * A time as dashboards write it: milliseconds since the epoch, or a time relative to `now` such as `now-5m`, `now/d` or
 * `now-1d/d`. `/d` rounds to the day in UTC: down to its start, or for the end of a range up to its last millisecond.
 * Returns milliseconds since the epoch, or undefined for a text of another form or a time that no Date can hold.
 */
export function timeOf(text: string, now: number, isEnd = false): number | undefined {
  if (MILLISECONDS.test(text)) return Number(text);
  if (!RELATIVE.test(text)) return undefined;
  let at = dayjs.utc(now);
  for (const [, sign, amount, unit, rounded] of text.matchAll(STEP)) {
    if (rounded !== undefined) at = isEnd ? at.endOf(UNITS[rounded as Unit]) : at.startOf(UNITS[rounded as Unit]);
    else at = at.add(Number(`${sign}${amount}`), UNITS[unit as Unit] as 'day');
  }
  const time = at.valueOf();
  return Number.isNaN(time) ? undefined : time;
}

import { History, type Operation } from './history.js';
import { type Resource, textOf } from './objects.js';
import type { Complain, Timeline } from './timeline.js';

/** What belongs to one log: that of the begin, or that of a store which was set back. */
export interface Epoch {
  readonly history: History;
  /** Operations that ran while the store was set back, before or after. They belong to one of two logs. */
  readonly between: readonly Operation[];
  /** The end of the log, if the store was then set back. */
  readonly end: number;
}

interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Splits a history where the store was set back. What began before and was answered after is in no part. */
export function epochsOf(history: History): readonly Epoch[] {
  const { setBacks } = history;
  const last = { at: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY, bases: history.bases };
  return [...setBacks, last].map(({ at, end, bases }, i) => {
    const from = setBacks[i - 1]?.at ?? 0;
    const isWithin = (span: Span): boolean => span.begin >= from && span.end < at;
    const isBetween = (span: Span): boolean =>
      (span.begin < from && span.end >= from) || (span.begin < at && span.end >= at);
    const part = new History();
    part.operations.push(...history.operations.filter(isWithin));
    part.streams.push(
      ...history.streams.filter(({ begin, opened = Number.POSITIVE_INFINITY }) => isWithin({ begin, end: opened })),
    );
    part.sightings.push(...history.sightings.filter(({ since }) => since >= from && since < at));
    for (const [resource, base] of bases) part.bases.set(resource, base);
    return { history: part, between: history.operations.filter(isBetween), end };
  });
}

/** A watch of a log that is gone has nothing of the next one. */
export function checkLast({ history, end }: Epoch, complain: Complain): void {
  for (const { id, resource, server, events } of history.streams) {
    const { revision = 0 } = events.at(-1) ?? {};
    if (revision > end)
      complain(
        'watch = history',
        `watch ${id} of ${resource} on server ${server} has ${revision}, but the log ended at ${end}`,
      );
  }
}

/** A write that was acknowledged while the store was set back is in the log before, or in the one after. */
export function checkBetween(
  { operations, setBacks }: History,
  all: readonly ReadonlyMap<Resource, Timeline>[],
  complain: Complain,
): void {
  for (const { id, verb, resource, name, begin, end, status, revision = 0, object } of operations) {
    if (!['create', 'update', 'patch', 'apply'].includes(verb) || status >= 300 || object === undefined) continue;
    const first = setBacks.findIndex(({ at }) => begin < at && end >= at);
    if (first < 0) continue;
    const isStored = all.slice(first).some((timelines) => {
      const event = timelines.get(resource)?.byRevision.get(revision);
      return event !== undefined && textOf(event.object) === textOf(object);
    });
    if (!isStored)
      complain('acknowledged writes are kept', `${verb} ${id} of ${resource} ${name} was acknowledged at ${revision}`);
  }
}

import { AUDITOR, History, type Operation, type Stream } from './history.js';
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

/**
 * Splits a history where the store was set back. What began before and was answered after is in no part, and neither is
 * a watch that went on, of a server that had read nothing of what was lost.
 */
export function epochsOf(history: History): readonly Epoch[] {
  const { setBacks } = history;
  const never = Number.POSITIVE_INFINITY;
  const last = { at: never, end: never, bases: history.bases, unaffected: new Set<number>() };
  return [...setBacks, last].map(({ at, end, bases, unaffected }, i) => {
    const { at: from, noticed } = setBacks[i - 1] ?? { at: 0, noticed: undefined };
    // A server that has not noticed may still show the former log.
    const isAware = (server: number, time: number): boolean =>
      noticed === undefined || time > (noticed.get(server) ?? never);
    const isWithin = (span: Span): boolean => span.begin >= from && span.end < at;
    const isBetween = (span: Span): boolean =>
      (span.begin < from && span.end >= from) || (span.begin < at && span.end >= at);
    const part = new History();
    part.operations.push(
      ...history.operations.filter(
        (operation) =>
          isWithin(operation) &&
          ((operation.asked?.mode ?? 'newest') === 'newest' || isAware(operation.server, operation.begin)),
      ),
    );
    // Nothing is known of the changes before the base. A client may have its revision from the former log.
    const isKnown = ({ resource, from = never }: Stream): boolean => from >= (bases.get(resource)?.revision ?? 0);
    const isOfThis = (stream: Stream): boolean =>
      stream.client === AUDITOR ||
      (isAware(stream.server, stream.begin) &&
        isKnown(stream) &&
        ((stream.closed ?? never) < at || !unaffected.has(stream.server)));
    part.streams.push(
      ...history.streams.filter(
        (stream) => isWithin({ begin: stream.begin, end: stream.opened ?? never }) && isOfThis(stream),
      ),
    );
    part.sightings.push(
      ...history.sightings.filter(({ since, server }) => since >= from && since < at && isAware(server, since)),
    );
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

import { deliveryType, frameOf, objectOf } from '../../../storage/cacher/event.js';
import type { Delivered, WatchStep } from '../../../storage/cacher/watch-step.js';
import type { Entry } from '../../../storage/state/entry.js';
import { isServedAsStored } from '../../kinds/conversion.js';
import type { Kind } from '../../kinds/kind.js';
import { asServed, servedEntries } from '../../kinds/served-entries.js';
import type { Selection } from '../options/selection.js';

/** The step with the objects as they are served. `undefined`: it takes no time to make them. */
export function servedStep(kind: Kind, selection: Selection, step: WatchStep): Promise<WatchStep> | undefined {
  const isReady = selection.all && entriesOf(step.deliveries).every((entry) => isServedAsStored(kind, entry));
  return isReady ? undefined : asServedStep(kind, selection, step);
}

async function asServedStep(kind: Kind, selection: Selection, { deliveries, through }: WatchStep): Promise<WatchStep> {
  const entries = entriesOf(deliveries);
  const served = await servedEntries(kind, entries);
  const made = new Map(entries.map((entry, i) => [entry, served.entries[i]]));
  const selects = (entry: Entry): boolean => selection.matchesAs(asServed(kind), entry);
  const shown = deliveries.flatMap((delivery) => deliveredAs(delivery, (entry) => made.get(entry) ?? entry, selects));
  return { deliveries: shown, through };
}

function entriesOf(deliveries: readonly Delivered[]): readonly Entry[] {
  const both = deliveries.flatMap(({ event: { current, previous } }) => [current, previous]);
  return both.filter((entry) => entry !== undefined);
}

/**
 * The type depends on the selectors, which are about what is served. What the caller may not see has been left out
 * before.
 */
function deliveredAs(
  { type: known, event }: Delivered,
  made: (entry: Entry) => Entry,
  selects: (entry: Entry) => boolean,
): readonly Delivered[] {
  const { current, previous } = event;
  const now = known !== 'DELETED' && current !== undefined ? made(current) : undefined;
  const before = known !== 'ADDED' && previous !== undefined ? made(previous) : undefined;
  const type = deliveryType({ ...event, current: now, previous: before }, selects);
  if (type === undefined) return [];
  const one = { type, event: { ...event, current: now, previous: before } };
  return [{ ...one, frame: () => frameOf(type, objectOf(one)) }];
}

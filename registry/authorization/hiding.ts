import { expired } from '../../pkg/kube/status/errors.js';
import type { Event } from '../../storage/cacher/event.js';
import { partsOf } from '../../storage/key.js';
import type { Entry } from '../../storage/state/entry.js';
import type { Kind } from '../kinds/kind.js';
import { CHANGED, type Followed } from './follower.js';
import type { CoverageFilter } from './read-filter.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/**
 * What a watch follows so that its filter stays right. A filter that allows everything in a namespace holds only while
 * no place there is restricted, or waits. It looks at the newest state alone, so it misses a place that came and went
 * between two looks. The list that the client has read before does not show what lay there.
 */
export function hiding(
  { deciding }: ScopeHierarchy,
  { coverages, conditions }: Pick<CoverageFilter, 'coverages' | 'conditions'>,
  namespace: string,
): readonly Followed[] {
  const has = (kinds: readonly Kind[], resource: string) => kinds.some(({ qualified }) => qualified === resource);
  const { unlessRestricted, unlessWaiting } = conditions(namespace);
  const isNeeded = (resource: string) =>
    coverages === undefined || has([...unlessRestricted, ...unlessWaiting], resource);
  return deciding.filter(isNeeded).map((resource) => {
    const check = (event: Event): void => {
      if (!hides(event.previous) && !hides(event.current)) return;
      const own = conditions(partsOf(event.key).namespace);
      if (has(own.unlessRestricted, resource)) refuseRestriction(event);
      if (has(own.unlessWaiting, resource)) refuseEndOfWait(event);
    };
    return { resource, check };
  });
}

function hides(entry: Entry | undefined): boolean {
  return entry?.attributes.isRestricted === true || entry?.attributes.isWaiting === true;
}

/** If it still waits after the change, the watch ends for that. */
function refuseEndOfWait({ previous }: Event): void {
  if (previous?.attributes.isWaiting === true) throw expired(CHANGED);
}

function refuseRestriction({ previous, current }: Event): void {
  const isRestricted = (entry: Entry | undefined): boolean => entry?.attributes.isRestricted === true;
  if (isRestricted(previous) !== isRestricted(current)) throw expired(CHANGED);
}

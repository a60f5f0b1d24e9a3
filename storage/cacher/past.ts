import type { ResourceState } from '../state/resource-state.js';
import type { Ring } from './ring.js';

/** A state of one resource, with the position in the ring of the first event after it. */
export interface Known {
  readonly state: ResourceState;
  readonly position: number;
}

/** The known state that is nearest to a position, and the number of events between them. */
export function nearest(known: readonly [Known, ...Known[]], position: number): { base: Known; steps: number } {
  const away = ({ position: at }: Known): number => Math.abs(at - position);
  const base = known.reduce((best, one) => (away(one) < away(best) ? one : best));
  return { base, steps: away(base) };
}

/** The state at a position, made from a known state by undoing or applying the events between them. */
export function stateAt({ state: from, position: start }: Known, ring: Ring, position: number): ResourceState {
  if (start === position) return from;
  const state = from.clone();
  for (let at = start; at > position; at--) {
    const event = ring.at(at - 1);
    if (event?.previous !== undefined) state.put(event.previous);
    else if (event !== undefined) state.delete(event.key);
  }
  for (let at = start; at < position; at++) {
    const event = ring.at(at);
    if (event?.current !== undefined) state.put(event.current);
    else if (event !== undefined) state.delete(event.key);
  }
  return state;
}

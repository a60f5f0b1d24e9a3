import type { Cacher } from '../../storage/cacher/cacher.js';
import { keyOf, resourceOf } from '../../storage/key.js';
import type { ResourceState, State } from '../../storage/state.js';
import { encodeTuple, type Tuple } from '../../storage/tuple.js';
import type { AccessView, Entry } from '../access.js';

const views = new WeakMap<State, AccessView>();

/** The caches' state as decisions read it: one view a state. */
export function stateView(state: State): AccessView {
  let view = views.get(state);
  if (view === undefined) {
    view = { ...viewOf(state), isFixed: true };
    views.set(state, view);
  }
  return view;
}

/** A view of resources that may come from several states. */
export function viewOf(state: Pick<State, 'resource'>): AccessView {
  return {
    get: (key) => state.resource(resourceOf(key)).get(key),
    range: (resource, index, prefix, limit) => {
      const found: Entry[] = [];
      for (const entry of state.resource(resource).range(index, prefix)) {
        if (found.length >= limit) break;
        found.push(entry);
      }
      return found;
    },
    version: (resource) => state.resource(resource).version,
  };
}

/** The state at an earlier revision. Reading it throws `compacted` where that is too long ago. */
export function pastView(cacher: Cacher, revision: number): AccessView {
  const states = new Map<string, ResourceState>();
  return viewOf({
    resource: (resource) => {
      const known = states.get(resource) ?? cacher.at(resource, revision);
      states.set(resource, known);
      return known;
    },
  });
}

export function entryNamed(view: AccessView, resource: string, namespace: string, name: string): Entry | undefined {
  return view.get(keyOf(resource, namespace, name));
}

export function entriesUnder(view: AccessView, resource: string, index: string, tuple: Tuple): readonly Entry[] {
  return view.range(resource, index, encodeTuple(tuple), Number.POSITIVE_INFINITY);
}

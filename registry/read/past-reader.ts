import type { Cacher } from '../../storage/cacher/cacher.js';
import type { ResourceState } from '../../storage/state/resource-state.js';
import { Reader } from './reader.js';

/** Reads all resources at an earlier revision. Its reads throw StorageError `compacted` if that is too old. */
export function pastReader(cacher: Pick<Cacher, 'past'>, revision: number): Reader {
  const states = new Map<string, ResourceState>();
  const resource = (name: string): ResourceState => {
    const state = states.get(name) ?? cacher.past.at(name, revision);
    states.set(name, state);
    return state;
  };
  return new Reader({ revision, resource });
}

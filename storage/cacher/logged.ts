import type { Commit, Revision } from '../backend.js';
import { resourceOf } from '../key.js';
import type { ResourceDefinition } from '../resource.js';
import { type Event, eventOf } from './event.js';

/** A commit that was read from the log, with its events of one resource. */
export interface LoggedCommit {
  readonly end: Revision;
  readonly events: readonly Event[];
}

export async function* loggedCommits(
  commits: AsyncIterable<Commit>,
  definition: ResourceDefinition,
): AsyncGenerator<LoggedCommit, void, undefined> {
  for await (const { end, changes } of commits) {
    const own = changes.filter(({ key }) => resourceOf(key) === definition.resource);
    yield { end, events: own.map((change) => eventOf(definition, change, undefined)) };
  }
}

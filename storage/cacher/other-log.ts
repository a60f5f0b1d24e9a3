import type { Commit } from '../backend.js';
import { divergedError } from '../errors.js';
import type { State } from '../state/state.js';

/**
 * Throws `diverged` if a commit of the tail shows that the state is of another log. The state may be ahead of the tail,
 * by commits of this server. If the log is set back then, the tail goes on from a place that both logs have.
 */
export function refuseOtherLog({ revision, commitId }: State, { end, id, changes: [first] }: Commit): void {
  const isOther = end === revision && id !== undefined && commitId !== undefined && id !== commitId;
  if (isOther || (end > revision && first !== undefined && first.revision <= revision)) throw divergedError(revision);
}

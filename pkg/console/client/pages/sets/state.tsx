import { Time } from '../../ui/time.js';
import { type ApplySet, driftedSince, statusOf } from './sets.js';

/** Whether the members are as they were applied, and since when not. */
export function SetState({ set }: { readonly set: ApplySet }) {
  const { drifted, members } = statusOf(set);
  if (drifted > 0)
    return (
      <span class="row">
        <span class="chip warn">
          {drifted} of {members} differ
        </span>
        <span class="muted">
          since <Time at={driftedSince(set)} />
        </span>
      </span>
    );
  return members === 0 ? <span class="chip">Empty</span> : <span class="chip ok">As applied</span>;
}

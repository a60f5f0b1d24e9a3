import { Author } from '../../../ui/author.js';
import { Time } from '../../../ui/time.js';
import type { LastChange } from './last-change.js';

/** Who has changed the object meanwhile, and when. It begins a sentence, and ends with "has" or "have". */
export function Changer({ change }: { readonly change: LastChange | undefined }) {
  if (change?.by === undefined || change.in === undefined) return <>Others have</>;
  return (
    <>
      <b>
        <Author by={change.by} in={change.in} />
      </b>
      {change.isOneOfSeveral ? ', and perhaps others, have' : ' has'} (<Time at={change.at} />)
    </>
  );
}

import { authorName } from '../../../lib/authors.js';
import { Time } from '../../../ui/time.js';
import type { LastChange } from './last-change.js';

/** Who has changed the object meanwhile, and when. It begins a sentence, and ends with "has" or "have". */
export function Changer({ change }: { readonly change: LastChange | undefined }) {
  if (change?.by === undefined) return <>Others have</>;
  return (
    <>
      <b dir="auto">{authorName(change.by)}</b>
      {change.isOneOfSeveral ? ', and perhaps others, have' : ' has'} (<Time at={change.at} />)
    </>
  );
}

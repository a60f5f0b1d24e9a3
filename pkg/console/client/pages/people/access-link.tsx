import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { useMayAsk } from '../../lib/use-may-ask.js';

interface Props {
  readonly kind: 'User' | 'Team' | 'ServiceAccount';
  readonly name: string;
  /** Who it is about, where the page does not say it. */
  readonly of?: string;
}

/** Leads to what a user, a team or a service account may do, for callers who may ask about others. */
export function AccessLink({ kind, name, of }: Props) {
  if (useMayAsk() !== true) return null;
  return (
    <Link
      class={of === undefined ? 'button' : 'button quiet'}
      href={places.accessOf(kind, name)}
      // The name begins with the visible text, for people who speak to their computer (WCAG 2.5.3).
      {...(of !== undefined && { 'aria-label': `What may they open? (${of})` })}
    >
      What may they open?
    </Link>
  );
}

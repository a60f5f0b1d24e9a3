import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { useMayAsk } from '../../lib/use-may-ask.js';

interface Props {
  readonly kind: 'User' | 'Team' | 'ServiceAccount';
  readonly name: string;
}

/** Leads to what a user, a team or a service account may do, for callers who may ask about others. */
export function AccessLink({ kind, name }: Props) {
  if (useMayAsk() !== true) return null;
  return (
    <Link class="button" href={places.accessOf(kind, name)}>
      What may they open?
    </Link>
  );
}

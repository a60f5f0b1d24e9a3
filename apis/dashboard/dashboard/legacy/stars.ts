import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { isUser } from '../../../iam/names.js';

/** The part of a Stars object that says which dashboards are starred. */
interface Starred {
  readonly resource?: readonly { readonly kind: string; readonly names: readonly string[] }[];
}

const NONE: ReadonlySet<string> = new Set();

/** The names of the dashboards that the caller has starred in the organization. */
export function starredBy(call: LegacyCall): ReadonlySet<string> {
  const { user } = call;
  if (!call.hasKind('Stars') || !isUser(user, user.uid)) return NONE;
  const resources = call.objects<Starred>('Stars').find(`user-${user.uid}`)?.spec?.resource ?? [];
  return new Set(resources.filter(({ kind }) => kind === 'Dashboard').flatMap(({ names }) => names));
}

import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { type StarsSpec, starredNames, USER_STARS } from '../../../collections/stars/schema.js';
import { isUser } from '../../../iam/names.js';

const NONE: ReadonlySet<string> = new Set();

/** The names of the dashboards that the caller has starred in the organization. */
export function starredBy(call: LegacyCall): ReadonlySet<string> {
  const { user } = call;
  if (!isUser(user, user.uid)) return NONE;
  const spec = call.objects<StarsSpec>('collections/Stars').find(`${USER_STARS}${user.uid}`)?.spec;
  return new Set(starredNames(spec, 'Dashboard'));
}

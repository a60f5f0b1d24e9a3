import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { dashboardNumbers, idIn } from '../../../dashboard-numbers.js';
import { isUser } from '../../../iam/names.js';
import { chosenIds, type StarsSpec, USER_STARS } from '../schema.js';

/** The stars of a caller: the name of each dashboard, and its integer id when it was starred. */
export type Starred = ReadonlyMap<string, string | undefined>;

const NONE: Starred = new Map();

/** What the caller has starred in the organization, whether it is still there or not. */
export function starredBy(call: LegacyCall): Starred {
  const { user } = call;
  if (!isUser(user, user.uid)) return NONE;
  const stars = call.objects<StarsSpec>('collections/Stars');
  const object = stars.find(`${USER_STARS}${user.uid}`);
  return object === undefined ? NONE : chosenIds(object, dashboardNumbers(stars.kind.domain).key);
}

/** Whether a dashboard is one of those that were starred, and not a later one of the same name. */
export function isStarred(starred: Starred, name: string, id: number): boolean {
  return starred.has(name) && (starred.get(name) ?? String(id)) === String(id);
}

/** The names of the starred dashboards that are there and that the caller may view. */
export function starredNames(call: LegacyCall): readonly string[] {
  const starred = starredBy(call);
  const dashboards = call.objects('dashboard/Dashboard');
  const filter = dashboards.readFilter();
  return [...starred.keys()].filter((name) => {
    const entry = dashboards.entry(name);
    if (entry === undefined || !isStarred(starred, name, idIn(entry, dashboards.kind))) return false;
    return filter.all || filter.allows(entry);
  });
}

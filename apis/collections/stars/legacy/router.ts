import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { ObjectReader } from '../../../../registry/client/object-reader.js';
import { groupName } from '../../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../../registry/kinds/names.js';
import type { LegacyCall, LegacyServices } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { dashboardNumbers, idIn } from '../../../dashboard-numbers.js';
import { caller } from '../../../iam/legacy/people.js';
import { chosenIds, type StarsSpec, USER_STARS } from '../schema.js';
import { STARS } from './answers.js';
import { STAR_NOTES } from './notes.js';
import { isStarred, starredBy, starredNames } from './starred.js';

const DASHBOARD = 'Dashboard';
const NOT_FOUND = 'Dashboard not found';

/** `/api/user/stars`: the dashboards that the caller has starred. */
export function starsRouter(services: LegacyServices): LegacyRouter {
  const star =
    (uidOf: (call: LegacyCall) => string): LegacyHandler =>
    async (call) => {
      const uid = uidOf(call);
      // The strategy checks new stars. This is the name of a star from before: the dashboard may be gone, or not be
      // theirs to view any more.
      if (starredBy(call).has(uid) && !maySee(call, call.objects('dashboard/Dashboard').find(uid)))
        throw plainFailure(404, NOT_FOUND);
      await change(call, (names) => [...names, uid]);
      return done('Dashboard starred!');
    };
  const unstar =
    (uidOf: (call: LegacyCall) => string): LegacyHandler =>
    async (call) => {
      const uid = uidOf(call);
      if (starredBy(call).has(uid)) await change(call, (names) => names.filter((name) => name !== uid));
      return done('Dashboard unstarred');
    };
  return legacyRouter(
    services,
    routes(
      {
        notes: STAR_NOTES,
        errors: [{ cause: 'FieldValueNotFound', status: 404, body: { message: NOT_FOUND } }],
        peopleOnly: true,
        fallback: 'Failed to save stars',
      },
      {
        'GET /user/stars': {
          answer: STARS,
          summary: 'Lists the dashboards that the caller has starred',
          handle: (call) => ok(starredNames(call)),
        },
        'POST /user/stars/dashboard/uid/:uid': { summary: 'Stars a dashboard', handle: star(uidIn) },
        'DELETE /user/stars/dashboard/uid/:uid': { summary: 'Removes the star of a dashboard', handle: unstar(uidIn) },
        'POST /user/stars/dashboard/:id': { summary: 'Stars a dashboard by its number', handle: star(uidOfId) },
        'DELETE /user/stars/dashboard/:id': {
          summary: 'Removes the star of a dashboard by its number',
          handle: unstar(uidOfVisible),
        },
      },
    ),
  );
}

const nameOf = (call: LegacyCall): string => `${USER_STARS}${caller(call).metadata.name}`;

function uidIn(call: LegacyCall): string {
  const uid = call.param('uid');
  if (!UID_NAMES.pattern.test(uid) || uid.length > UID_NAMES.maxLength)
    throw plainFailure(400, 'Invalid dashboard UID');
  return uid;
}

function uidOfId(call: LegacyCall): string {
  const dashboard = call.objects('dashboard/Dashboard').findById(call.id('id'));
  if (dashboard === undefined) throw plainFailure(404, NOT_FOUND);
  return dashboard.metadata.name;
}

/** Of a dashboard that the caller may not view, the number tells nothing of its uid. */
function uidOfVisible(call: LegacyCall): string {
  const uid = uidOfId(call);
  if (!maySee(call, call.objects('dashboard/Dashboard').find(uid))) throw plainFailure(404, NOT_FOUND);
  return uid;
}

function maySee(call: LegacyCall, dashboard: KubeObject | undefined): boolean {
  return dashboard !== undefined && call.objects('dashboard/Dashboard').may('dashboards:read', dashboard);
}

/** Changes the names of the starred dashboards. Those that later dashboards have are left out first. */
async function change(call: LegacyCall, namesFrom: (names: readonly string[]) => readonly string[]): Promise<void> {
  const group = groupName('dashboard', call.kind('dashboard/Dashboard').domain);
  await call.transact((transaction) => {
    const [stars, name] = [transaction.objects<StarsSpec>('collections/Stars'), nameOf(call)];
    const old = stars.find(name);
    const kept = old === undefined ? [] : withoutLater(old, transaction.objects('dashboard/Dashboard'));
    stars.put(name, () => ({ resource: [{ group, kind: DASHBOARD, names: [...namesFrom(kept)] }] }));
  });
}

/** The starred names, without those that another dashboard has now. */
function withoutLater(stars: KubeObject<StarsSpec>, dashboards: ObjectReader): readonly string[] {
  const starred = chosenIds(stars, dashboardNumbers(dashboards.kind.domain).key);
  return [...starred.keys()].filter((name) => {
    const entry = dashboards.entry(name);
    return entry === undefined || isStarred(starred, name, idIn(entry, dashboards.kind));
  });
}

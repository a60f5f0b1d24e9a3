import { groupName } from '../../../../registry/kinds/kind.js';
import type { LegacyCall, LegacyServices } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { starredBy } from '../../../dashboard/dashboard/legacy/stars.js';
import { caller } from '../../../iam/legacy/people.js';
import { UID_NAMES } from '../../../iam/names.js';
import { type StarsSpec, starredNames, USER_STARS } from '../schema.js';

const DASHBOARD = 'Dashboard';
const NOT_FOUND = 'Dashboard not found';

/** `/api/user/stars`: the dashboards that the caller has starred. */
export function starsRouter(services: LegacyServices): LegacyRouter {
  const star =
    (uidOf: (call: LegacyCall) => string): LegacyHandler =>
    async (call) => {
      const uid = uidOf(call);
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
        errors: [{ cause: 'FieldValueNotFound', status: 404, body: { message: NOT_FOUND } }],
        peopleOnly: true,
        fallback: 'Failed to save stars',
      },
      {
        'GET /user/stars': {
          summary: 'Lists the dashboards that the caller has starred',
          handle: (call) => ok(visible(call, [...starredBy(call)])),
        },
        'POST /user/stars/dashboard/uid/:uid': { summary: 'Stars a dashboard', handle: star(uidIn) },
        'DELETE /user/stars/dashboard/uid/:uid': { summary: 'Removes the star of a dashboard', handle: unstar(uidIn) },
        'POST /user/stars/dashboard/:id': { summary: 'Stars a dashboard by its number', handle: star(uidOfId) },
        'DELETE /user/stars/dashboard/:id': {
          summary: 'Removes the star of a dashboard by its number',
          handle: unstar(uidOfId),
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

/** The names of the dashboards that exist and that the caller may view. */
function visible(call: LegacyCall, names: readonly string[]): readonly string[] {
  const dashboards = call.objects('dashboard/Dashboard');
  const filter = dashboards.readFilter();
  return names.filter((name) => {
    const entry = dashboards.entry(name);
    return entry !== undefined && (filter.all || filter.allows(entry));
  });
}

async function change(call: LegacyCall, namesFrom: (names: readonly string[]) => readonly string[]): Promise<void> {
  const group = groupName('dashboard', call.kind('dashboard/Dashboard').domain);
  await call.transact((transaction) =>
    transaction.objects<StarsSpec>('collections/Stars').put(nameOf(call), (old) => {
      const others = (old?.resource ?? []).filter(({ kind }) => kind !== DASHBOARD);
      return { resource: [...others, { group, kind: DASHBOARD, names: [...namesFrom(starredNames(old, DASHBOARD))] }] };
    }),
  );
}

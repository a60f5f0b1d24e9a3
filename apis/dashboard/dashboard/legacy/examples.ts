import { type Made, nameOf } from '../../../testing/cast.js';
import {
  accessRequests,
  idOf,
  internalId,
  type LegacyContext,
  type LegacyExamples,
  type LegacyTry,
  USUAL_PERMISSIONS,
} from '../../../testing/legacy-examples.js';

/** A dashboard with two versions. */
async function changed({ cast: { server }, own }: LegacyContext): Promise<Made> {
  const dashboard = await own('dashboard');
  const path = `/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards/${dashboard.metadata.name}`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  await server.call('PATCH', path, { headers, body: { spec: { tags: ['changed'] } } });
  return dashboard;
}

const restored = (by: string, dashboard: string | number): LegacyTry => ({
  path: `/dashboards/${by}/${dashboard}/restore`,
  body: { version: 1 },
});

export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Dashboards: by role
GET    /dashboards/home                               401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /dashboards/tags                               401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /dashboards/uid/:uid                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /dashboards/db                                 401  403    yes    yes   yes  403  yes  403    403  403
POST   /dashboards/import                             401  403    yes    yes   yes  403  yes  403    403  403
DELETE /dashboards/uid/:uid                           401  403    yes    yes   yes  403  yes  403    403  403
GET    /dashboards/uid/:uid/versions                  401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /dashboards/uid/:uid/versions/:version         401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /dashboards/uid/:uid/restore                   401  403    yes    yes   yes  403  yes  403    403  403
GET    /dashboards/id/:id/versions                    401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /dashboards/id/:id/versions/:version           401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /dashboards/id/:id/restore                     401  403    yes    yes   yes  403  yes  403    403  403
# Permissions of dashboards: for administrators of the dashboard
GET    /dashboards/uid/:uid/permissions               401  403    403    yes   yes  403  yes  403    403  403
POST   /dashboards/uid/:uid/permissions               401  403    403    yes   yes  403  yes  403    403  403
GET    /dashboards/id/:id/permissions                 401  403    403    yes   yes  403  yes  403    403  403
POST   /dashboards/id/:id/permissions                 401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/dashboards/description         401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /access-control/dashboards/:uid                401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid                401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid/users/:userId  401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid/teams/:teamId  401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid/builtInRoles/:role 401 403   403    yes   yes  403  yes  403    403  403
`,
  objects: {
    dashboard: ({ made, fresh }) =>
      made('dashboard.svc.app/v1beta1', 'Dashboard', fresh('dashboard'), {
        title: fresh('Dashboard'),
        tags: ['permissions'],
      }),
  },
  params: {
    ':uid': (targets) => nameOf(targets('dashboard')),
    ':id': (targets) => idOf(targets('dashboard')),
  },
  requests: {
    'GET /dashboards/tags': async ({ shared }) => ({ shows: (await shared('dashboard')) && 'permissions' }),
    'POST /dashboards/db': async ({ cast }) => ({ body: { dashboard: { title: cast.fresh('Saved') } } }),
    'POST /dashboards/import': async ({ cast }) => ({ body: { dashboard: { title: cast.fresh('Imported') } } }),
    'POST /dashboards/uid/:uid/restore': async (context) => restored('uid', (await changed(context)).metadata.name),
    'POST /dashboards/id/:id/restore': async (context) => restored('id', internalId(await changed(context))),
    'POST /dashboards/uid/:uid/permissions': async () => ({ body: { items: USUAL_PERMISSIONS } }),
    'POST /dashboards/id/:id/permissions': async () => ({ body: { items: USUAL_PERMISSIONS } }),
    ...accessRequests('/access-control/dashboards/:uid', 'View'),
  },
};

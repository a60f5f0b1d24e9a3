import type { Router } from '../../../../pkg/http/router.js';
import { deleted, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { accessControlRoutes } from '../../../iam/rolebinding/legacy/access-control.js';
import { permissionRoutes } from '../../../iam/rolebinding/legacy/permissions.js';
import type { DashboardSpec } from '../schema.js';
import { dashboardDto, savedDto, titleOf } from './dto.js';
import { DASHBOARD_ERRORS, FALLBACK } from './errors.js';
import { homeOf } from './home.js';
import { importedDto, importOf } from './import.js';
import { dashboardPlace } from './place.js';
import { requireWriter, save, saveOf } from './save.js';
import { tagCounts } from './tags.js';
import { byId, byUid, restoreOf, versionOf, versionsOf } from './versions.js';

/** `/api/dashboards`. */
export function dashboardRouter(services: ConfiguredServices): Router {
  const place = dashboardPlace(services.environment);
  const post: LegacyHandler = async (call) => {
    requireWriter(call);
    return ok(savedDto(call, await save(call, saveOf(call))));
  };
  const importOne: LegacyHandler = async (call) => {
    requireWriter(call);
    return ok(importedDto(call, await save(call, importOf(call))));
  };
  const remove: LegacyHandler = async (call) => {
    const dashboards = call.objects<DashboardSpec>('Dashboard');
    const dashboard = await dashboards.delete(call.param('uid'));
    const title = titleOf(dashboard);
    const more = { title, id: dashboards.idOf(dashboard), uid: dashboard.metadata.name };
    return deleted(dashboard, `Dashboard ${title} deleted`, more);
  };
  return legacyRouter(
    services,
    routes(
      { errors: DASHBOARD_ERRORS, fallback: FALLBACK },
      {
        'GET /dashboards/home': (call) => ok(homeOf(call)),
        'GET /dashboards/tags': (call) => ok(tagCounts(call)),
        'POST /dashboards/db': post,
        'POST /dashboards/import': importOne,
        'GET /dashboards/uid/:uid': (call) =>
          ok(dashboardDto(call, call.objects<DashboardSpec>('Dashboard').get(call.param('uid')))),
        'DELETE /dashboards/uid/:uid': remove,
        'GET /dashboards/uid/:uid/versions': async (call) =>
          ok({ continueToken: '', versions: await versionsOf(call, byUid(call)) }),
        // The older route answers with an array.
        'GET /dashboards/id/:id/versions': async (call) => ok(await versionsOf(call, byId(call))),
        'GET /dashboards/uid/:uid/versions/:version': async (call) => ok(await versionOf(call, byUid(call))),
        'GET /dashboards/id/:id/versions/:version': async (call) => ok(await versionOf(call, byId(call))),
        'POST /dashboards/uid/:uid/restore': (call) => restoreOf(call, byUid(call)),
        'POST /dashboards/id/:id/restore': (call) => restoreOf(call, byId(call)),
      },
    ),
    permissionRoutes(place),
    accessControlRoutes(place),
  );
}

import { deleted, ok, okInSteps } from '../../../../registry/legacy/respond.js';
import {
  type LegacyHandler,
  type LegacyRoute,
  type LegacyRouter,
  legacyRouter,
  routes,
} from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { accessControlRoutes } from '../../../iam/rolebinding/legacy/access-control.js';
import { permissionRoutes } from '../../../iam/rolebinding/legacy/permissions.js';
import type { DashboardSpec } from '../schema.js';
import {
  DASHBOARD,
  DASHBOARD_DELETED,
  DASHBOARD_IMPORTED,
  DASHBOARD_SAVED,
  DASHBOARD_TAGS,
  HOME_DASHBOARD,
  VERSION,
  VERSION_LIST,
  VERSION_PAGE,
} from './answers.js';
import { DASHBOARD_ANSWERED, dashboardDto, savedDto, titleOf } from './dto.js';
import { DASHBOARD_ERRORS, FALLBACK } from './errors.js';
import { homeOf } from './home.js';
import { ImportBody, importedDto, importOf } from './import.js';
import { DASHBOARD_NOTES } from './notes.js';
import { dashboardPlace } from './place.js';
import { requireWriter, SaveBody, save, saveBody } from './save.js';
import { tagCounts } from './tags.js';
import { byId, byUid, RestoreBody, restoreOf, versionOf, versionsOf } from './versions.js';

/** `/api/dashboards`. */
export function dashboardRouter(services: ConfiguredServices): LegacyRouter {
  const place = dashboardPlace(services.environment);
  return legacyRouter(
    services,
    readRoutes(),
    permissionRoutes(place, { path: '/dashboards/id/:id/permissions', nameOf: byId }),
    accessControlRoutes(place),
  );
}

/** Dashboards by their uid or number, and their versions. */
function readRoutes(): readonly LegacyRoute[] {
  return routes(
    { notes: DASHBOARD_NOTES, errors: DASHBOARD_ERRORS, fallback: FALLBACK, answerMembers: DASHBOARD_ANSWERED },
    {
      'GET /dashboards/home': {
        single: true,
        answer: HOME_DASHBOARD,
        summary: 'Reads the home dashboard of the caller',
        handle: (call) => ok(homeOf(call)),
      },
      'GET /dashboards/tags': {
        answer: DASHBOARD_TAGS,
        summary: 'Lists the tags of dashboards, with their counts',
        handle: (call) => ok(tagCounts(call)),
      },
      'POST /dashboards/db': {
        answer: DASHBOARD_SAVED,
        summary: 'Creates or changes a dashboard',
        body: SaveBody,
        handle: post,
      },
      'POST /dashboards/import': {
        answer: DASHBOARD_IMPORTED,
        summary: 'Imports a dashboard with inputs',
        body: ImportBody,
        handle: importOne,
      },
      'GET /dashboards/uid/:uid': {
        single: true,
        answer: DASHBOARD,
        summary: 'Reads a dashboard',
        handle: (call) =>
          okInSteps(dashboardDto(call, call.objects<DashboardSpec>('dashboard/Dashboard').get(call.param('uid')))),
      },
      'DELETE /dashboards/uid/:uid': { answer: DASHBOARD_DELETED, summary: 'Deletes a dashboard', handle: remove },
      'GET /dashboards/uid/:uid/versions': {
        answer: VERSION_PAGE,
        summary: 'Lists the versions of a dashboard',
        query: ['limit', 'start'],
        handle: async (call) => ok({ continueToken: '', versions: await versionsOf(call, byUid(call)) }),
      },
      // The older route answers with an array.
      'GET /dashboards/id/:id/versions': {
        answer: VERSION_LIST,
        summary: 'Lists the versions of a dashboard by its number',
        query: ['limit', 'start'],
        handle: async (call) => ok(await versionsOf(call, byId(call))),
      },
      'GET /dashboards/uid/:uid/versions/:version': {
        single: true,
        answer: VERSION,
        summary: 'Reads a version of a dashboard',
        handle: async (call) => okInSteps(await versionOf(call, byUid(call))),
      },
      'GET /dashboards/id/:id/versions/:version': {
        single: true,
        answer: VERSION,
        summary: 'Reads a version of a dashboard by its number',
        handle: async (call) => okInSteps(await versionOf(call, byId(call))),
      },
      'POST /dashboards/uid/:uid/restore': {
        answer: DASHBOARD_SAVED,
        summary: 'Restores a version of a dashboard, or a deleted dashboard',
        body: RestoreBody,
        handle: (call) => restoreOf(call, byUid(call)),
      },
      'POST /dashboards/id/:id/restore': {
        answer: DASHBOARD_SAVED,
        summary: 'Restores a version of a dashboard by its number',
        body: RestoreBody,
        handle: (call) => restoreOf(call, byId(call)),
      },
    },
  );
}

const post: LegacyHandler = async (call) => {
  requireWriter(call);
  return ok(savedDto(call, await saveBody(call)));
};

const importOne: LegacyHandler = async (call) => {
  requireWriter(call);
  return ok(importedDto(call, await save(call, importOf(call))));
};

const remove: LegacyHandler = async (call) => {
  const dashboards = call.objects<DashboardSpec>('dashboard/Dashboard');
  const dashboard = await dashboards.delete(call.param('uid'));
  const title = titleOf(dashboard);
  const more = { title, id: dashboards.idOf(dashboard), uid: dashboard.metadata.name };
  return deleted(dashboard, `Dashboard ${title} deleted`, more);
};

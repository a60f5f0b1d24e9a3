import { groupName } from '../../registry/kinds/kind.js';
import { EMPTY } from '../../registry/legacy/answers.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { type FailureBody, plainFailure } from '../../registry/legacy/errors.js';
import { ok } from '../../registry/legacy/respond.js';
import {
  type LegacyHandler,
  type LegacyRoute,
  type LegacyRouter,
  legacyRouter,
  routes,
} from '../../registry/legacy/router.js';
import type { ApisEnvironment, ConfiguredServices } from '../environment.js';
import { effectivePreferences } from '../preferences/preferences/legacy/effective.js';
import { auditEvents, type Operation, shownTo, statistics } from './administration.js';
import {
  AUDIT_EVENTS,
  BOOT_DATA,
  FOUND,
  FOUND_PAGE,
  FRONTEND_SETTINGS,
  HEALTH,
  SETTINGS,
  STATISTICS,
} from './answers.js';
import { AUDIT_NOTES, NAMED_SEARCH_NOTES, SYSTEM_NOTES } from './notes.js';
import { search } from './search.js';
import { searchResults } from './search-results.js';

/** The release whose legacy API this server implements. Clients decide by it which endpoints and messages to expect. */
const FOLLOWED = { version: '12.4.0', commit: '' };

const UNREACHABLE: FailureBody = { message: 'the store cannot be reached', database: 'failing', ...FOLLOWED };

/** The routes that clients call at their start, and lists of kinds of objects that this server does not have. */
export function systemRouter(services: ConfiguredServices, { settings = {}, auditFile }: Operation): LegacyRouter {
  return legacyRouter(
    services,
    routes(
      { notes: SYSTEM_NOTES, errors: [{ code: 503, status: 503, body: UNREACHABLE }] },
      {
        'GET /health': {
          single: true,
          answer: HEALTH,
          summary: 'Tells whether the store can be reached',
          handle: () => ok({ database: 'ok', ...FOLLOWED }),
        },
      },
    ),
    routes(
      { notes: SYSTEM_NOTES },
      {
        'GET /frontend/settings': {
          single: true,
          answer: FRONTEND_SETTINGS,
          summary: 'Reads what user interfaces need at their start',
          handle: (call) => ok(frontendSettings(call, services.environment)),
        },
        'GET /search': {
          answer: FOUND,
          summary: 'Searches folders and dashboards',
          query: [
            'query',
            'type',
            'tag',
            'dashboardUIDs',
            'dashboardUID',
            'dashboardIds',
            'folderUIDs',
            'folderIds',
            'starred',
            'permission',
            'deleted',
            'sort',
            'limit',
            'page',
          ],
          lists: ['type', 'tag', 'dashboardUIDs', 'dashboardUID', 'dashboardIds', 'folderUIDs', 'folderIds'],
          handle: (call) => ok(search(call, services.environment)),
        },
        'GET /admin/settings': {
          answer: SETTINGS,
          summary: 'Lists the settings of the server',
          handle: (call) => ok(shownTo(call, settings)),
        },
        'GET /admin/stats': {
          single: true,
          answer: STATISTICS,
          summary: 'Counts the objects of the server',
          handle: (call) => ok(statistics(call)),
        },
      },
    ),
    routes(
      { notes: AUDIT_NOTES },
      {
        'GET /admin/audit': {
          single: true,
          answer: AUDIT_EVENTS,
          summary: 'Reads the newest events of the audit log of this server',
          query: ['limit'],
          handle: async (call) => ok(await auditEvents(call, auditFile)),
        },
      },
    ),
    absentRoutes(),
  );
}

/** The lists of kinds of objects that this server does not have. */
function absentRoutes(): readonly LegacyRoute[] {
  return routes(
    { notes: SYSTEM_NOTES },
    {
      'GET /datasources': {
        answer: EMPTY,
        summary: 'Answers an empty list: this server has no data sources',
        handle: none(),
      },
      'GET /datasources/uid/:uid': {
        single: true,
        answer: 'none',
        summary: 'Answers 404: this server has no data sources',
        handle: noSuch('Data source not found'),
      },
      'GET /datasources/name/:name': {
        single: true,
        answer: 'none',
        summary: 'Answers 404: this server has no data sources',
        handle: noSuch('Data source not found'),
      },
      'GET /dashboard/snapshots': {
        answer: EMPTY,
        summary: 'Answers an empty list: this server has no snapshots',
        query: ['query', 'limit'],
        handle: none(),
      },
      'GET /auth/keys': {
        answer: EMPTY,
        summary: 'Answers an empty list: this server has no API keys',
        query: ['includeExpired'],
        handle: none(),
      },
      'GET /alert-notifications': {
        answer: EMPTY,
        summary: 'Answers an empty list: this server has no notification channels',
        handle: none(),
      },
      'GET /v1/provisioning/contact-points': {
        answer: EMPTY,
        summary: 'Answers an empty list: this server has no contact points',
        query: ['name'],
        handle: none(),
      },
    },
  );
}

/** `/bootdata`, where command line tools find their namespace. */
export function bootRouter(services: ConfiguredServices): LegacyRouter {
  const boot: LegacyHandler = (call) =>
    ok({ settings: frontendSettings(call, services.environment), user: shownPreferences(call) });
  return legacyRouter(
    services,
    routes(
      { notes: SYSTEM_NOTES },
      {
        'GET /bootdata': {
          single: true,
          answer: BOOT_DATA,
          summary: 'Reads what command line tools need at their start',
          handle: boot,
        },
      },
    ),
  );
}

/** The group and version below which the product's own command lines search. It has no kinds. */
export function searchMount(domain: string): `/${string}` {
  return `/apis/${groupName('dashboard', domain)}/v0alpha1`;
}

/** The search of the product's own command lines, which they address by the namespace. */
export function searchRouter(services: ConfiguredServices): LegacyRouter {
  const { domain } = services.environment;
  const find: LegacyHandler = async (call) => ok(await searchResults(call, domain));
  return legacyRouter(
    services,
    routes(
      { notes: NAMED_SEARCH_NOTES },
      {
        [`GET ${searchMount(domain)}/namespaces/:namespace/search`]: {
          answer: FOUND_PAGE,
          summary: 'Searches folders and dashboards of a namespace',
          query: ['query', 'type', 'tag', 'folder', 'name', 'sort', 'facet', 'limit', 'offset', 'details'],
          lists: ['type', 'tag', 'folder', 'name', 'facet'],
          handle: find,
        },
      },
    ),
  );
}

function frontendSettings(call: LegacyCall, { features }: ApisEnvironment): unknown {
  return {
    buildInfo: { ...FOLLOWED, edition: 'Open Source' },
    datasources: {},
    featureToggles: { nestedFolders: features.nestedFolders },
    unifiedAlertingEnabled: features.alerting,
    queryHistoryEnabled: features.queryHistory,
    namespace: call.organization.namespace,
  };
}

/** The preferences with which user interfaces begin. Empty values stand for their defaults. */
function shownPreferences(call: LegacyCall): unknown {
  const { theme = '', timezone = '', weekStart = '', language = '', regionalFormat = '' } = effectivePreferences(call);
  return { theme, timezone, weekStart, language, regionalFormat };
}

/** The empty list of a kind that this server does not have. */
function none(): LegacyHandler {
  return () => ok([]);
}

function noSuch(message: string): LegacyHandler {
  return () => {
    throw plainFailure(404, message);
  };
}

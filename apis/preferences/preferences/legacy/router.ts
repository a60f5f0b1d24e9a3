import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import type { Router } from '../../../../pkg/http/router.js';
import { arrayOf } from '../../../../pkg/meta/bounded.js';
import type { LegacyCall, LegacyServices } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { caller } from '../../../iam/legacy/people.js';
import { NAMESPACE_PREFERENCES, type PreferencesSpec, USER_PREFERENCES } from '../schema.js';

const Body = z.object({
  theme: z.string().nullish(),
  homeDashboardId: z.int().nullish(),
  homeDashboardUID: z.string().nullish(),
  timezone: z.string().nullish(),
  weekStart: z.string().nullish(),
  language: z.string().nullish(),
  regionalFormat: z.string().nullish(),
  dateStyle: z.string().nullish(),
  navbar: z.object({ bookmarkUrls: arrayOf(z.string(), 500).nullish() }).nullish(),
  queryHistory: z.object({ homeTab: z.string().nullish() }).nullish(),
  cookiePreferences: z
    .object({
      analytics: z.looseObject({}).optional(),
      performance: z.looseObject({}).optional(),
      functional: z.looseObject({}).optional(),
    })
    .nullish(),
});
type Body = z.infer<typeof Body>;

const INVALID_THEME = { status: 400, body: { message: 'Invalid theme' } };

export const PREFERENCES_ERRORS: readonly ErrorRule[] = [{ field: 'spec.theme', ...INVALID_THEME }];

/** Old clients expect text here. The text is JSON. */
const TEXT = { 'content-type': 'text/plain; charset=UTF-8' };

/** The owner of the preferences of a request. */
export interface Owner {
  readonly namespace: string;
  /** metadata.name of the Preferences object. */
  readonly name: string;
}

/** The preferences that are set. */
export function readPreferences(call: LegacyCall, { namespace, name }: Owner): ApiResponse {
  const spec = call.objects<PreferencesSpec>('Preferences', namespace).find(name)?.spec ?? {};
  return ok(
    Object.fromEntries([...Object.entries(spec), ...dashboardId(call, spec)].filter(([, value]) => value !== '')),
  );
}

/** The number of the home dashboard, for clients that still use numbers. */
function dashboardId(call: LegacyCall, { homeDashboardUID = '' }: PreferencesSpec): readonly [string, unknown][] {
  if (homeDashboardUID === '' || !call.hasKind('Dashboard')) return [];
  const dashboards = call.objects('Dashboard');
  const dashboard = dashboards.find(homeDashboardUID);
  return dashboard === undefined ? [] : [['homeDashboardId', dashboards.idOf(dashboard)]];
}

/** Fields that the body omits are reset. */
export function replacePreferences(call: LegacyCall, owner: Owner): Promise<ApiResponse> {
  const spec = specOf(call, call.body(Body));
  return keep(call, owner, () => spec);
}

/** Fields that the body omits stay. */
export function patchPreferences(call: LegacyCall, owner: Owner): Promise<ApiResponse> {
  const changes = specOf(call, call.body(Body));
  return keep(call, owner, (old) => ({ ...old, ...changes }));
}

async function keep(
  call: LegacyCall,
  { namespace, name }: Owner,
  specFrom: (old: PreferencesSpec | undefined) => PreferencesSpec,
): Promise<ApiResponse> {
  await call.transact((transaction) =>
    transaction.objects<PreferencesSpec>('Preferences', namespace).put(name, specFrom),
  );
  return ok({ message: 'Preferences updated' }, TEXT);
}

/** The fields of the body, by their names in the kind. The kind validates their values. */
function specOf(call: LegacyCall, body: Body): PreferencesSpec {
  const { homeDashboardId: _, homeDashboardUID: __, navbar, queryHistory, ...others } = body;
  const home = homeDashboard(call, body);
  const spec = {
    ...others,
    homeDashboardUID: home,
    navbar: navbar && { bookmarkUrls: navbar.bookmarkUrls ?? [] },
    queryHistory: queryHistory && { homeTab: queryHistory.homeTab ?? '' },
  };
  // The schema checks it again before it is stored.
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value != null)) as PreferencesSpec;
}

/** The home dashboard of the body: by uid, otherwise by number. Throws 404 if there is no such dashboard. */
function homeDashboard(call: LegacyCall, { homeDashboardUID, homeDashboardId }: Body): string | undefined {
  if (homeDashboardUID != null) return homeDashboardUID === '' ? '' : existing(call, homeDashboardUID);
  if (homeDashboardId == null) return undefined;
  if (homeDashboardId === 0) return '';
  if (homeDashboardId < 0) throw badRequestData();
  const name = call.hasKind('Dashboard')
    ? call.objects('Dashboard').findById(homeDashboardId)?.metadata.name
    : undefined;
  return name ?? dashboardNotFound();
}

function existing(call: LegacyCall, uid: string): string {
  if (!call.hasKind('Dashboard') || call.objects('Dashboard').find(uid) === undefined) return dashboardNotFound();
  return uid;
}

function dashboardNotFound(): never {
  throw plainFailure(404, 'Dashboard not found');
}

/** `/api/user/preferences` and `/api/org/preferences`. */
export function preferencesRouter(services: LegacyServices): Router {
  const own = (call: LegacyCall): Owner => ({
    namespace: call.organization.namespace,
    name: `${USER_PREFERENCES}${caller(call).metadata.name}`,
  });
  const everybody =
    (action: 'read' | 'write') =>
    (call: LegacyCall): Owner => {
      requireAction(call.objects('Preferences'), `orgs.preferences:${action}`);
      return { namespace: call.organization.namespace, name: NAMESPACE_PREFERENCES };
    };
  const read =
    (owner: (call: LegacyCall) => Owner): LegacyHandler =>
    (call) =>
      readPreferences(call, owner(call));
  const put =
    (owner: (call: LegacyCall) => Owner): LegacyHandler =>
    (call) =>
      replacePreferences(call, owner(call));
  const patch =
    (owner: (call: LegacyCall) => Owner): LegacyHandler =>
    (call) =>
      patchPreferences(call, owner(call));
  return legacyRouter(
    services,
    routes(
      { errors: PREFERENCES_ERRORS, peopleOnly: true, fallback: 'Failed to save preferences' },
      { 'GET /user/preferences': read(own), 'PUT /user/preferences': put(own), 'PATCH /user/preferences': patch(own) },
    ),
    routes(
      { errors: PREFERENCES_ERRORS, fallback: 'Failed to save preferences' },
      {
        'GET /org/preferences': read(everybody('read')),
        'PUT /org/preferences': put(everybody('write')),
        'PATCH /org/preferences': patch(everybody('write')),
      },
    ),
  );
}

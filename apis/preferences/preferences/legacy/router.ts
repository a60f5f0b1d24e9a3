import type { ApiResponse } from '../../../../pkg/http/handler.js';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { type ErrorRule, requireAction } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ApisEnvironment, ConfiguredServices } from '../../../environment.js';
import { caller } from '../../../iam/legacy/people.js';
import { NAMESPACE_PREFERENCES, type PreferencesSpec, USER_PREFERENCES } from '../schema.js';
import { PreferencesBody, preferencesOf } from './body.js';
import { homeDashboardOf, withoutLaterHome } from './home.js';

const INVALID_THEME = { status: 400, body: { message: 'Invalid theme' } };

export const PREFERENCES_ERRORS: readonly ErrorRule[] = [
  { field: 'spec.theme', ...INVALID_THEME },
  {
    field: 'spec.homeDashboardUID',
    cause: 'FieldValueNotFound',
    status: 404,
    body: { message: 'Dashboard not found' },
  },
];

/** The specification says that this is text. It is JSON, and existing clients read it only if its type says so. */
const TYPES: Readonly<Record<ApisEnvironment['compatibility'], Readonly<Record<string, string>>>> = {
  specification: { 'content-type': 'text/plain; charset=UTF-8' },
  clients: {},
};

/** The owner of the preferences of a request. */
export interface PreferencesOwner {
  readonly namespace: string;
  /** metadata.name of the Preferences object. */
  readonly name: string;
}

/** The preferences that are set. A home dashboard that is gone, or that the caller may not view, counts as none. */
export function readPreferences(call: LegacyCall, { namespace, name }: PreferencesOwner): ApiResponse {
  const preferences = call.objects<PreferencesSpec>('preferences/Preferences', namespace).find(name);
  const { homeDashboardUID: _, ...spec } = preferences?.spec ?? {};
  const all = { ...spec, ...homeFields(call, homeDashboardOf(call, preferences)) };
  return ok(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')));
}

/** The home dashboard, also with its number for clients that still use numbers. */
function homeFields(call: LegacyCall, dashboard: KubeObject | undefined): Readonly<Record<string, unknown>> {
  if (dashboard === undefined) return {};
  const homeDashboardId = call.objects('dashboard/Dashboard').idOf(dashboard);
  return { homeDashboardUID: dashboard.metadata.name, homeDashboardId };
}

/** Fields that the body omits are reset. */
export function replacePreferences(
  call: LegacyCall,
  owner: PreferencesOwner,
  environment: ApisEnvironment,
): Promise<ApiResponse> {
  const spec = preferencesOf(call, call.body(PreferencesBody));
  return keep(call, owner, environment, () => spec);
}

/** Fields that the body omits stay. */
export function patchPreferences(
  call: LegacyCall,
  owner: PreferencesOwner,
  environment: ApisEnvironment,
): Promise<ApiResponse> {
  const changes = preferencesOf(call, call.body(PreferencesBody));
  return keep(call, owner, environment, (old) => ({ ...withoutLaterHome(call, old), ...changes }));
}

async function keep(
  call: LegacyCall,
  { namespace, name }: PreferencesOwner,
  { compatibility }: ApisEnvironment,
  specFrom: (old: KubeObject<PreferencesSpec> | undefined) => PreferencesSpec,
): Promise<ApiResponse> {
  await call.transact((transaction) => {
    const preferences = transaction.objects<PreferencesSpec>('preferences/Preferences', namespace);
    const old = preferences.find(name);
    preferences.put(name, () => specFrom(old));
  });
  return ok({ message: 'Preferences updated' }, TYPES[compatibility]);
}

/** `/api/user/preferences` and `/api/org/preferences`. */
export function preferencesRouter(services: ConfiguredServices): LegacyRouter {
  const { environment } = services;
  const own = (call: LegacyCall): PreferencesOwner => ({
    namespace: call.organization.namespace,
    name: `${USER_PREFERENCES}${caller(call).metadata.name}`,
  });
  const everybody =
    (action: 'read' | 'write') =>
    (call: LegacyCall): PreferencesOwner => {
      const preferences = call.objects('preferences/Preferences');
      const { apiVersion, kind } = preferences.kind;
      const { namespace } = call.organization;
      // They are those of the whole organization, so a role that is bound in a folder does not suffice.
      const object = { apiVersion, kind, metadata: { name: NAMESPACE_PREFERENCES, namespace } };
      requireAction(preferences, `orgs.preferences:${action}`, object);
      return { namespace, name: NAMESPACE_PREFERENCES };
    };
  const read =
    (owner: (call: LegacyCall) => PreferencesOwner): LegacyHandler =>
    (call) =>
      readPreferences(call, owner(call));
  const put =
    (owner: (call: LegacyCall) => PreferencesOwner): LegacyHandler =>
    (call) =>
      replacePreferences(call, owner(call), environment);
  const patch =
    (owner: (call: LegacyCall) => PreferencesOwner): LegacyHandler =>
    (call) =>
      patchPreferences(call, owner(call), environment);
  return legacyRouter(
    services,
    routes(
      { errors: PREFERENCES_ERRORS, peopleOnly: true, fallback: 'Failed to save preferences' },
      {
        'GET /user/preferences': { single: true, summary: 'Reads the preferences of the caller', handle: read(own) },
        'PUT /user/preferences': {
          summary: 'Replaces the preferences of the caller',
          body: PreferencesBody,
          handle: put(own),
        },
        'PATCH /user/preferences': {
          summary: 'Changes the preferences of the caller',
          body: PreferencesBody,
          handle: patch(own),
        },
      },
    ),
    routes(
      { errors: PREFERENCES_ERRORS, fallback: 'Failed to save preferences' },
      {
        'GET /org/preferences': {
          single: true,
          summary: 'Reads the preferences of the organization',
          handle: read(everybody('read')),
        },
        'PUT /org/preferences': {
          summary: 'Replaces the preferences of the organization',
          body: PreferencesBody,
          handle: put(everybody('write')),
        },
        'PATCH /org/preferences': {
          summary: 'Changes the preferences of the organization',
          body: PreferencesBody,
          handle: patch(everybody('write')),
        },
      },
    ),
  );
}

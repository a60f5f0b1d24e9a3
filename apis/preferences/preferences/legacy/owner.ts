import type { ApiResponse } from '../../../../pkg/http/handler.js';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { ErrorRule } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import type { ApisEnvironment } from '../../../environment.js';
import type { PreferencesSpec } from '../schema.js';
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

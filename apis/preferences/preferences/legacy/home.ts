import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { dashboardNumbers } from '../../../dashboard-numbers.js';
import type { PreferencesSpec } from '../schema.js';

type Preferences = KubeObject<PreferencesSpec>;

/** The home dashboard, if it is the one that was chosen, and the caller may view it. */
export function homeDashboardOf(call: LegacyCall, preferences: Preferences | undefined): KubeObject | undefined {
  const home = named(call, preferences);
  return home?.isChosen === true ? home.dashboard : undefined;
}

/**
 * The preferences without a home dashboard whose name a later dashboard has, which the caller may view. A change of
 * others must not choose it.
 */
export function withoutLaterHome(call: LegacyCall, preferences: Preferences | undefined): PreferencesSpec | undefined {
  if (preferences?.spec === undefined || named(call, preferences)?.isChosen !== false) return preferences?.spec;
  const { homeDashboardUID: _, ...others } = preferences.spec;
  return others;
}

/** The dashboard that has the name of the home dashboard, if the caller may view it. */
function named(
  call: LegacyCall,
  preferences: Preferences | undefined,
): { readonly dashboard: KubeObject; readonly isChosen: boolean } | undefined {
  const name = preferences?.spec?.homeDashboardUID ?? '';
  const dashboards = call.objects('dashboard/Dashboard');
  const dashboard = name === '' ? undefined : dashboards.find(name);
  if (dashboard === undefined || !dashboards.may('dashboards:read', dashboard)) return undefined;
  const id = preferences?.metadata.annotations?.[dashboardNumbers(dashboards.kind.domain).key];
  // Empty: the preferences waited for the first dashboard of the name. Absent: they were stored before the server noted
  // it.
  return { dashboard, isChosen: !id || id === String(dashboards.idOf(dashboard)) };
}

import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, plainFailure } from '../../../../registry/legacy/errors.js';
import type { PreferencesSpec } from '../schema.js';

const COOKIES = ['analytics', 'performance', 'functional'] as const;

/** The body of a change of preferences. Clients send `null` for what they do not know. */
export const PreferencesBody = z.object({
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
  /** The names of the cookies that may be set. Clients write them as a list, and read `cookiePreferences`. */
  cookies: arrayOf(z.enum(COOKIES), COOKIES.length).nullish(),
  cookiePreferences: z
    .object({
      analytics: z.looseObject({}).optional(),
      performance: z.looseObject({}).optional(),
      functional: z.looseObject({}).optional(),
    })
    .nullish(),
});
export type PreferencesBody = z.infer<typeof PreferencesBody>;

/** The fields of the body, by their names in the kind. The kind validates their values. */
export function preferencesOf(call: LegacyCall, body: PreferencesBody): PreferencesSpec {
  const { homeDashboardId: _, homeDashboardUID: __, navbar, queryHistory, cookies, ...others } = body;
  const home = homeDashboard(call, body);
  const spec = {
    ...others,
    homeDashboardUID: home,
    navbar: navbar && { bookmarkUrls: navbar.bookmarkUrls ?? [] },
    ...(cookies != null && { cookiePreferences: Object.fromEntries(cookies.map((name) => [name, {}])) }),
    queryHistory: queryHistory && { homeTab: queryHistory.homeTab ?? '' },
  };
  // The schema checks it again before it is stored.
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value != null)) as PreferencesSpec;
}

/** The home dashboard of the body: by uid, otherwise by number. The kind checks whether there is such a uid. */
function homeDashboard(call: LegacyCall, { homeDashboardUID, homeDashboardId }: PreferencesBody): string | undefined {
  if (homeDashboardUID != null) {
    call.numberBeside('field "homeDashboardId"', homeDashboardId, 'dashboard/Dashboard', homeDashboardUID);
    return homeDashboardUID;
  }
  if (homeDashboardId == null) return undefined;
  if (homeDashboardId === 0) return '';
  if (homeDashboardId < 0) throw badRequestData(undefined, 'homeDashboardId: must be at least 0');
  const dashboards = call.objects('dashboard/Dashboard');
  const dashboard = dashboards.findById(homeDashboardId);
  // The number of a dashboard that the caller may not view tells nothing of its uid.
  if (dashboard === undefined || !dashboards.may('dashboards:read', dashboard))
    throw plainFailure(404, 'Dashboard not found');
  return dashboard.metadata.name;
}

import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { preferencesFor } from '../../../preferences/preferences/legacy/effective.js';
import { homeDashboardOf } from '../../../preferences/preferences/legacy/home.js';
import { type Dashboard, dashboardUrl } from './dto.js';

/** The home page: the address of the home dashboard in the preferences, or a built-in dashboard. */
export function homeOf(call: LegacyCall): unknown {
  const dashboard = preferredHome(call);
  return dashboard === undefined ? BUILT_IN : { redirectUri: dashboardUrl(dashboard) };
}

/**
 * The first home dashboard that the caller may view, in the preferences of the caller, of their teams, and of the
 * organization.
 */
function preferredHome(call: LegacyCall): Dashboard | undefined {
  for (const preferences of preferencesFor(call)) {
    const dashboard = homeDashboardOf(call, preferences);
    if (dashboard !== undefined) return dashboard as Dashboard;
  }
  return undefined;
}

/** A list of the dashboards that the caller has starred, used last, or may view. User interfaces fill it. */
const BUILT_IN = {
  meta: {
    type: '',
    canSave: false,
    canEdit: false,
    canAdmin: false,
    canStar: false,
    canDelete: false,
    slug: '',
    url: '',
    version: 0,
    hasAcl: false,
    isFolder: false,
    isHome: true,
    folderId: 0,
    folderUid: '',
    folderTitle: 'General',
    folderUrl: '',
    provisioned: false,
  },
  dashboard: {
    title: 'Home',
    uid: '',
    version: 0,
    schemaVersion: 39,
    editable: false,
    tags: [],
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    panels: [
      {
        id: 1,
        type: 'dashlist',
        title: 'Dashboards',
        gridPos: { x: 0, y: 0, w: 24, h: 15 },
        options: { showStarred: true, showRecentlyViewed: true, showSearch: true, maxItems: 30, query: '', tags: [] },
      },
    ],
  },
};

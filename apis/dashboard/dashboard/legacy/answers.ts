import { z } from 'zod';
import { accessControl, answer, anyObject, doneWith, listOf } from '../../../../registry/legacy/answers.js';

const changes = () => z.object({ canAdd: z.boolean(), canEdit: z.boolean(), canDelete: z.boolean() });

/** What all answers with a dashboard tell about it. */
const meta = () => ({
  type: z.string(),
  slug: z.string(),
  url: z.string(),
  version: z.int(),
  canSave: z.boolean(),
  canEdit: z.boolean(),
  canAdmin: z.boolean(),
  canDelete: z.boolean(),
  canStar: z.boolean(),
  hasAcl: z.boolean(),
  isFolder: z.boolean(),
  folderId: z.int(),
  folderUid: z.string(),
  folderTitle: z.string(),
  folderUrl: z.string(),
  provisioned: z.boolean(),
});
const DASHBOARD_META = answer('DashboardMeta', 'What the server knows of a dashboard, and not its JSON.', () => ({
  ...meta(),
  created: z.string(),
  updated: z.string(),
  createdBy: z.string(),
  updatedBy: z.string(),
  expires: z.string(),
  isSnapshot: z.boolean(),
  isStarred: z.boolean(),
  annotationsPermissions: z.object({ dashboard: changes(), organization: changes() }),
  provisionedExternalId: z.string(),
  accessControl: accessControl(),
}));
export const DASHBOARD = answer('Dashboard', 'A dashboard.', () => ({
  meta: DASHBOARD_META(),
  dashboard: anyObject().describe('Its JSON.'),
}));
/** Either the dashboard, or the address of the one that somebody has chosen. */
export const HOME_DASHBOARD = answer('HomeDashboard', 'The dashboard to begin with, or its address.', () => ({
  redirectUri: z.string().optional(),
  meta: z.object({ ...meta(), isHome: z.boolean() }).optional(),
  dashboard: anyObject().optional(),
}));

export const DASHBOARD_SAVED = answer('DashboardSaved', 'The dashboard that was saved.', () => ({
  id: z.int(),
  uid: z.string(),
  url: z.string(),
  status: z.string(),
  version: z.int().describe('The next save sends it.'),
  slug: z.string(),
  folderUid: z.string(),
}));
export const DASHBOARD_IMPORTED = answer('DashboardImported', 'The dashboard that was imported.', () => ({
  uid: z.string(),
  pluginId: z.string(),
  title: z.string(),
  imported: z.boolean(),
  importedUri: z.string(),
  importedUrl: z.string(),
  slug: z.string(),
  dashboardId: z.int(),
  folderId: z.int(),
  folderUid: z.string(),
  importedRevision: z.int(),
  revision: z.int(),
  description: z.string(),
  path: z.string(),
  removed: z.boolean(),
}));
export const DASHBOARD_DELETED = doneWith(() => ({ title: z.string(), id: z.int(), uid: z.string() }));
export const DASHBOARD_TAGS = listOf(
  answer('TagCount', 'How many dashboards have a tag.', () => ({ term: z.string(), count: z.int() })),
);

const version = () => ({
  id: z.int(),
  dashboardId: z.int(),
  dashboardUID: z.string(),
  uid: z.string(),
  parentVersion: z.int(),
  restoredFrom: z.int(),
  version: z.int(),
  created: z.string(),
  createdBy: z.string(),
  message: z.string(),
});
const FOUND_VERSION = answer('FoundVersion', 'An earlier version of a dashboard.', version);
export const VERSION_LIST = listOf(FOUND_VERSION);
export const VERSION_PAGE = answer('VersionPage', 'Some versions, the newest first.', () => ({
  continueToken: z.string().describe('`start` of the next page; empty at the end.'),
  versions: z.array(FOUND_VERSION()),
}));
export const VERSION = answer('Version', 'An earlier version of a dashboard with its JSON.', () => ({
  ...version(),
  data: anyObject(),
}));

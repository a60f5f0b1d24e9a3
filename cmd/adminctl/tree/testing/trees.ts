import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toYaml } from '../../../../pkg/kube/json/to-yaml.js';

/** Files by their names. A text is written as it is, and another value as JSON, or as YAML if the name ends so. */
export type Tree = Readonly<Record<string, unknown>>;

export function writeTree(folder: string, tree: Tree): void {
  for (const [name, content] of Object.entries(tree)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const text =
      typeof content === 'string' ? content : name.endsWith('.yaml') ? toYaml(content) : JSON.stringify(content);
    writeFileSync(path, text);
  }
}

const TEAM_ON_OPS = { teamId: 7, teamUid: 'oncall1', team: 'On call', permission: 2, permissionName: 'Edit' };
const ADMIN_ON_OPS = { userId: 1, userUid: 'root0', userLogin: 'admin', permission: 4, permissionName: 'Admin' };
const ROLES = [
  { role: 'Editor', permission: 2, permissionName: 'Edit' },
  { role: 'Viewer', permission: 1, permissionName: 'View' },
];
const inherited = (item: object): object => ({ ...item, inherited: true });

export const RULE = {
  id: 3,
  uid: 'rule1',
  orgID: 1,
  folderUID: 'ops1',
  ruleGroup: 'Group',
  title: 'Too slow',
  condition: 'B',
  data: [
    { refId: 'A', datasourceUid: 'prom', relativeTimeRange: { from: 600 }, model: { refId: 'A', expr: 'up' } },
    { refId: 'B', datasourceUid: '__expr__', relativeTimeRange: {}, model: { refId: 'B', type: 'threshold' } },
  ],
  updated: '2024-03-01T10:00:00Z',
  noDataState: 'NoData',
  execErrState: 'Error',
  for: '5m0s',
  keep_firing_for: '10m0s',
  labels: { team: 'ops' },
  provenance: 'api',
  notification_settings: { receiver: 'mail', group_by: null },
};

const ELEMENT = {
  id: 4,
  orgId: 1,
  folderId: 2,
  folderUid: 'ops1',
  uid: 'lib1',
  name: 'Requests',
  kind: 1,
  type: 'graph',
  description: 'Requests per second',
  model: { type: 'graph', title: 'Requests', description: 'Requests per second', datasource: 'prom' },
  version: 5,
  meta: { folderName: 'Operations', folderUid: 'ops1', connectedDashboards: 1 },
};

const LATENCY = {
  id: 12,
  uid: 'latency1',
  version: 9,
  title: 'Latency',
  tags: ['web'],
  schemaVersion: 39,
  panels: [{ id: 1, libraryPanel: { uid: 'lib1', name: 'Requests' } }],
};
const START = { id: 13, uid: 'start1', version: 1, title: 'Start', schemaVersion: 39, panels: [] };

/**
 * What grafana-backup-tool saves: a private folder, of which one team may edit, with a folder in it; a public folder;
 * and at the root a dashboard.
 */
export const BACKUP: Tree = {
  'dashboards/202403011000/latency1.dashboard': {
    dashboard: LATENCY,
    meta: { isFolder: false, folderId: 2, folderUid: 'ops1', folderTitle: 'Operations', slug: 'latency' },
  },
  'dashboards/202403011000/start1.dashboard': {
    dashboard: START,
    meta: { isFolder: false, folderId: 0, folderUid: '', folderTitle: 'General' },
  },
  'dashboards/202403011000/dashboards_202403011000.txt': 'uid/latency1\tLatency\n',
  'folders/202403011000/ops1.folder': { id: 2, uid: 'ops1', title: 'Operations', canSave: true, version: 1 },
  'folders/202403011000/ops1.folder_permission': [ADMIN_ON_OPS, TEAM_ON_OPS].map((item) => ({ uid: 'ops1', ...item })),
  'folders/202403011000/inc1.folder': { id: 3, uid: 'inc1', title: 'Incidents', parentUid: 'ops1', canSave: true },
  'folders/202403011000/inc1.folder_permission': [TEAM_ON_OPS].map((item) => inherited({ uid: 'inc1', ...item })),
  'folders/202403011000/open1.folder': { id: 5, uid: 'open1', title: 'Open', canSave: true },
  'folders/202403011000/open1.folder_permission': ROLES.map((item) => ({ uid: 'open1', ...item })),
  'library-elements/202403011000/lib1.library_element': ELEMENT,
  'alert_rules/202403011000/rule1.alert_rule': RULE,
  'teams/202403011000/oncall1.team': { id: 7, uid: 'oncall1', orgId: 1, name: 'On call', email: '', memberCount: 1 },
  'team_members/202403011000/1_7.team_member': { orgId: 1, teamId: 7, userId: 1, login: 'admin', permission: 4 },
  'datasources/202403011000/prom.datasource': { id: 1, uid: 'prom', name: 'Metrics', type: 'prometheus' },
  'users/202403011000/1.user': { id: 1, login: 'admin' },
};

/** The same, as gdg saves it: what lies in a folder lies in the folder with its title. */
export const GDG: Tree = {
  'org_main-org/dashboards/General/start.json': START,
  'org_main-org/dashboards/A%2FB+ops/latency.json': LATENCY,
  'org_main-org/dashboards/A%2FB+ops/Incidents/new.json': {
    gdg_api_version: 'dashboard.grafana.app/v2',
    nested_path: 'A%2FB+ops/Incidents',
    resource: {
      apiVersion: 'dashboard.grafana.app/v2',
      kind: 'Dashboard',
      metadata: { name: 'new1', annotations: { 'grafana.app/folder': 'of-another-server' } },
      spec: { title: 'New', tags: null, elements: {}, layout: {} },
    },
  },
  'org_main-org/folders/A%2FB+ops.json': {
    id: 2,
    uid: 'ops1',
    title: 'A/B ops',
    type: 'dash-folder',
    NestedPath: 'A%2FB+ops',
  },
  'org_main-org/folders/A%2FB+ops/Incidents.json': {
    id: 3,
    uid: 'inc1',
    title: 'Incidents',
    type: 'dash-folder',
    folderUid: 'ops1',
    NestedPath: 'A%2FB+ops/Incidents',
  },
  'org_main-org/folders-permissions/a-2fb-ops.json': [],
  'org_main-org/dashboards-permissions/A%2FB+ops/latency.json': {
    dashboard_uid: 'latency1',
    dashboard_name: 'Latency',
    gdg_api_version: 'dashboard-permissions.grafana/v2',
    permissions: [
      { builtInRole: 'Admin', permission: 'Admin', roleName: 'basic:admin' },
      { isManaged: true, permission: 'Edit', team: 'engineers', teamId: 5 },
      { isManaged: true, permission: 'Edit', userId: 9, userLogin: 'nobody' },
    ],
  },
  'org_main-org/libraryelements/A%2FB+ops/requests.json': {
    Entity: { ...ELEMENT, folderUid: undefined, meta: { folderName: 'A/B ops' } },
    NestedPath: 'A%2FB+ops',
  },
  'org_main-org/alerting-rules/A%2FB+ops/too-slow.json': { ...RULE, NestedPath: 'A%2FB+ops' },
  'org_main-org/alerting/rules.json': [RULE],
  'org_main-org/alerting/contacts.json': [{ name: 'mail', receivers: [] }],
  'org_main-org/teams/engineers/team.json': { id: 5, name: 'engineers', orgId: 1, memberCount: 1 },
  'org_main-org/teams/engineers/members.json': [{ login: 'admin', permission: 4, teamId: 5, userId: 1 }],
  'org_main-org/connections/prom.json': { uid: 'prom', name: 'Metrics' },
  'users/bob.json': { id: 7, login: 'bob' },
};

const grizzly = (kind: string, metadata: object, spec: object): object => ({
  apiVersion: 'grizzly.grafana.com/v1alpha1',
  kind,
  metadata,
  spec,
});

/** The same, as Grizzly pulls it. It has no permissions and no teams. */
export const GRIZZLY: Tree = {
  'dashboards/general/dashboard-start1.yaml': grizzly('Dashboard', { name: 'start1', folder: 'general' }, START),
  'dashboards/ops1/dashboard-latency1.yaml': grizzly('Dashboard', { name: 'latency1', folder: 'ops1' }, LATENCY),
  'folders/folder-ops1.yaml': grizzly('DashboardFolder', { name: 'ops1' }, { title: 'Operations', uid: 'ops1' }),
  'folders/folder-inc1.yaml': grizzly('DashboardFolder', { name: 'inc1' }, { title: 'Incidents', parentUid: 'ops1' }),
  'library-elements/panel-lib1.yaml': grizzly('LibraryElement', { name: 'lib1' }, ELEMENT),
  'alert-rules/alertRuleGroup-ops1.Group.yaml': grizzly(
    'AlertRuleGroup',
    { name: 'ops1.Group' },
    { title: 'Group', folderUid: 'ops1', interval: 180, rules: [RULE, { ...RULE, uid: 'rule2', title: 'Too many' }] },
  ),
  'datasources/datasource-prom.yaml': grizzly('Datasource', { name: 'prom' }, { type: 'prometheus' }),
  'alert-contact-points/contactPoint-mail.yaml': grizzly('AlertContactPoint', { name: 'mail' }, { type: 'email' }),
};

const placeholder = (name: string): string => `\${${name}}`;

/** Dashboards as they are exported for sharing, in folders of files. */
export const EXPORTS: Tree = {
  'Start.json': { ...START, uid: undefined },
  'team-a/web.json': {
    __inputs: [
      { name: 'DS_PROM', label: 'Prometheus', type: 'datasource', pluginId: 'prometheus' },
      { name: 'VAR_ENV', type: 'constant', value: 'prod' },
    ],
    __elements: {
      lib1: { name: 'Requests', uid: 'lib1', kind: 1, model: { type: 'graph', datasource: placeholder('DS_PROM') } },
    },
    __requires: [{ type: 'datasource', id: 'prometheus' }],
    uid: 'web1',
    title: 'Web',
    panels: [
      { datasource: { uid: placeholder('DS_PROM') }, title: placeholder('VAR_ENV'), libraryPanel: { uid: 'lib1' } },
    ],
  },
  'team-a/inner/Größe.json': { title: 'Size', panels: [] },
  'README.md': '# Dashboards',
};

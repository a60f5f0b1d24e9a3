import type { LegacyCall } from '../../registry/legacy/call.js';
import { accessDenied } from '../../registry/legacy/errors.js';

/** The kinds that are counted, by the names in the response. */
const COUNTED: Readonly<Record<string, string>> = {
  orgs: 'Organization',
  users: 'User',
  teams: 'Team',
  serviceAccounts: 'ServiceAccount',
  folders: 'Folder',
  dashboards: 'Dashboard',
  libraryPanels: 'LibraryElement',
  alerts: 'AlertRule',
  datasources: 'DataSource',
  snapshots: 'Snapshot',
};

const ACTION = 'server.stats:read';

export function statistics(call: LegacyCall): Readonly<Record<string, number>> {
  if (!call.objects('Organization').may(ACTION)) throw accessDenied([ACTION]);
  return Object.fromEntries(Object.entries(COUNTED).map(([name, kind]) => [name, call.count(kind)]));
}

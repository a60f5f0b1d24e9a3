import type { LegacyCall } from '../../registry/legacy/call.js';
import { accessDenied } from '../../registry/legacy/errors.js';

/** How many there are on the whole server, by the names that callers know. */
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

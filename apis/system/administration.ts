import type { LegacyCall } from '../../registry/legacy/call.js';
import { accessDenied } from '../../registry/legacy/errors.js';

/** The settings of the server as callers may see them: values by section and name, with masked secrets. */
export type ShownSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Clients expect the section of plugins, which this server does not have. */
const NO_PLUGINS: ShownSettings = { plugins: {} };

const READ_SETTINGS = 'settings:read';

export function shownTo(call: LegacyCall, settings: ShownSettings): ShownSettings {
  if (!call.objects('Organization').may(READ_SETTINGS)) throw accessDenied([READ_SETTINGS]);
  return { ...NO_PLUGINS, ...settings };
}

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

const READ_STATISTICS = 'server.stats:read';

export function statistics(call: LegacyCall): Readonly<Record<string, number>> {
  if (!call.objects('Organization').may(READ_STATISTICS)) throw accessDenied([READ_STATISTICS]);
  return Object.fromEntries(Object.entries(COUNTED).map(([name, kind]) => [name, call.count(kind)]));
}

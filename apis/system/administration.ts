import { newestEvents } from '../../pkg/http/audit/newest.js';
import type { KindName } from '../../registry/kinds/compiled.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { accessDenied, plainFailure } from '../../registry/legacy/errors.js';

/** The settings of the server as callers may see them: values by section and name, with masked secrets. */
export type ShownSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What administrators of the server are shown of its operation. */
export interface Operation {
  readonly settings?: ShownSettings;
  /** The file of the audit log, if it is written to one. */
  readonly auditFile?: string | undefined;
}

/** Clients expect the section of plugins, which this server does not have. */
const NO_PLUGINS: ShownSettings = { plugins: {} };

const READ_SETTINGS = 'settings:read';

export function shownTo(call: LegacyCall, settings: ShownSettings): ShownSettings {
  if (!call.objects('iam/Organization').may(READ_SETTINGS)) throw accessDenied([READ_SETTINGS]);
  return { ...NO_PLUGINS, ...settings };
}

const READ_AUDIT = 'server.audit:read';
/** The number of events in an answer if the request does not say, and the most. */
const [USUAL_EVENTS, MOST_EVENTS] = [100, 1000];

/** The newest events of the audit log of the server that answers. */
export async function auditEvents(call: LegacyCall, file: string | undefined): Promise<unknown> {
  if (!call.objects('iam/Organization').may(READ_AUDIT)) throw accessDenied([READ_AUDIT]);
  if (file === undefined) throw plainFailure(404, 'The audit log is not written to a file (audit.output)');
  const limit = call.limit('limit', USUAL_EVENTS, MOST_EVENTS);
  return { events: await newestEvents(file, limit) };
}

/** The kinds that are counted, by the names in the response. */
const COUNTED: Readonly<Record<string, KindName>> = {
  orgs: 'iam/Organization',
  users: 'iam/User',
  teams: 'iam/Team',
  serviceAccounts: 'iam/ServiceAccount',
  folders: 'folder/Folder',
  dashboards: 'dashboard/Dashboard',
  libraryPanels: 'dashboard/LibraryElement',
  alerts: 'rules.alerting/AlertRule',
};

/** This server has no such objects, and clients expect the members. */
const WITHOUT_OBJECTS = { datasources: 0, snapshots: 0 };

const READ_STATISTICS = 'server.stats:read';

export function statistics(call: LegacyCall): Readonly<Record<string, number>> {
  if (!call.objects('iam/Organization').may(READ_STATISTICS)) throw accessDenied([READ_STATISTICS]);
  const counts = Object.entries(COUNTED).map(([name, kind]) => [name, call.count(kind)]);
  return { ...Object.fromEntries(counts), ...WITHOUT_OBJECTS };
}

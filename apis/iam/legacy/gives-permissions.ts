import type { LegacyCall } from '../../../registry/legacy/call.js';

const PLACES = [
  ['folder/Folder', 'folders.permissions:write'],
  ['dashboard/Dashboard', 'dashboards.permissions:write'],
  ['iam/TeamBinding', 'teams.permissions:write'],
] as const;

/**
 * Whether the caller gives permissions on some folder or dashboard, or members to some team, of the organization. Such
 * callers may know by which names people and teams can be found there, and nothing else of them.
 */
export function givesPermissions(call: LegacyCall, namespace: string): boolean {
  return PLACES.some(([kind, action]) => call.hasKind(kind) && call.objects(kind, namespace).may(action));
}

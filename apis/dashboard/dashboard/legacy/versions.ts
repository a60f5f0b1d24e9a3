import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { notFound } from '../../../../pkg/kube/status/errors.js';
import type { Version } from '../../../../registry/history/history.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, plainFailure } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { messageOf, restoredVersion } from '../../../../registry/write/message.js';
import { loginOf } from '../../../iam/legacy/people.js';
import type { DashboardSpec } from '../schema.js';
import { contentOf, type Dashboard, savedDto } from './dto.js';

/** The most versions in an answer. */
const MOST = 1000;
/** The number of versions that are read at once. Each is a whole dashboard. */
const CHUNK = 50;

/** The name of the dashboard in the path, by uid or by number. Throws 404 for a number that no dashboard has. */
export type NameOf = (call: LegacyCall) => string;

export const byUid: NameOf = (call) => call.param('uid');

export const byId: NameOf = (call) => {
  const id = call.id('id');
  const dashboards = call.objects('dashboard/Dashboard');
  const byId = dashboards.findById(id);
  if (byId === undefined) throw notFound(dashboards.kind, String(id));
  return byId.metadata.name;
};

/** The versions of a dashboard, the newest first. `start` skips versions. */
export async function versionsOf(call: LegacyCall, name: string): Promise<readonly unknown[]> {
  const [limit, start] = [
    countIn(call, 'limit') === 0 ? MOST : call.limit('limit', MOST, MOST),
    countIn(call, 'start'),
  ];
  const history = call.history('dashboard/Dashboard');
  const versions: unknown[] = [];
  let below: number | undefined = Number.MAX_SAFE_INTEGER;
  for (let seen = 0; below !== undefined && versions.length < limit; ) {
    const page = await history.page(name, { below, limit: CHUNK });
    for (const version of page.versions) if (seen++ >= start) versions.push(versionDto(call, version));
    below = page.below;
  }
  return versions.slice(0, limit);
}

/** One version, with the dashboard as it was. */
export async function versionOf(call: LegacyCall, name: string): Promise<unknown> {
  const version = await call.history('dashboard/Dashboard').version(name, call.id('version'));
  const dashboard = version.object as Dashboard;
  return { ...versionDto(call, version), data: contentOf(call, dashboard) };
}

export const RestoreBody = z.object({ version: z.int().min(1).nullish(), formerPlace: z.boolean().nullish() });

/** Brings back a version as the next one, or a deleted dashboard. */
export async function restoreOf(call: LegacyCall, name: string): Promise<ApiResponse> {
  const dashboards = call.objects<DashboardSpec>('dashboard/Dashboard');
  const before = dashboards.find(name);
  if (before !== undefined) dashboards.authorize('update', before);
  const { version, formerPlace } = call.body(RestoreBody);
  if (before !== undefined && !version) throw badRequestData(undefined, 'version: must be the number of a version');
  const { object } = await call.restore('dashboard/Dashboard', name, {
    version: version ?? undefined,
    formerPlace: formerPlace === true,
  });
  if (before !== undefined && object.metadata.generation === before.metadata.generation)
    throw plainFailure(400, 'Current dashboard is identical to the specified version');
  return ok(savedDto(call, object as Dashboard));
}

function versionDto(call: LegacyCall, { version, author, time, object }: Version): Readonly<Record<string, unknown>> {
  const { kind } = call.objects('dashboard/Dashboard');
  const message = messageOf(kind, object);
  return {
    id: version,
    dashboardId: call.objects('dashboard/Dashboard').idOf(object),
    dashboardUID: object.metadata.name,
    uid: object.metadata.name,
    parentVersion: version - 1,
    restoredFrom: restoredVersion(message),
    version,
    created: time,
    createdBy: loginOf(call, author),
    message: message ?? '',
  };
}

function countIn(call: LegacyCall, name: string): number {
  const text = call.query.get(name) ?? '';
  if (text !== '' && !/^[0-9]{1,9}$/.test(text)) throw plainFailure(400, `${name} is invalid`);
  return Number(text);
}

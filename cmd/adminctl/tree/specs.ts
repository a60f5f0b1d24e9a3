import type { z } from 'zod';
import { RuleBody, specOfBody } from '../../../apis/alerting/alertrule/legacy/body.js';
import { AlertRuleSpec } from '../../../apis/alerting/alertrule/schema.js';
import { DashboardSpec } from '../../../apis/dashboard/dashboard/schema.js';
import { withSyncedModel } from '../../../apis/dashboard/libraryelement/model.js';
import { LibraryElementSpec, PANEL } from '../../../apis/dashboard/libraryelement/schema.js';
import { FolderSpec } from '../../../apis/folder/folder/schema.js';
import { TeamSpec } from '../../../apis/iam/team/schema.js';
import { isObject, type Members } from '../../../pkg/system/object/is-object.js';
import type { Folder } from './folders.js';
import type { FoundElement, FoundRule, FoundTeam } from './found.js';
import { integer, problemOf, text } from './values.js';

/** The spec as the server stores it, with its defaults: so manifests are equal to those of an export. */
function decoded<T>(schema: z.ZodType<T>, value: unknown, origin: string, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${origin}: this is no ${what}: ${problemOf(result.error)}`);
}

export function folderSpec({ title, description, origin }: Folder): FolderSpec {
  return decoded(FolderSpec, { title, ...(description !== '' && { description }) }, origin, 'folder');
}

export function dashboardSpec(spec: object, origin: string): DashboardSpec {
  return decoded(DashboardSpec, spec, origin, 'dashboard');
}

/** The spec of a library element. Its type and its description are also in its model, which counts. */
export function elementSpec({ value, origin, uid }: FoundElement): LibraryElementSpec {
  const model = value['model'];
  const name = text(value, 'name') || text(model, 'title') || uid;
  const mirrored = ['type', 'description'].flatMap((member) => {
    const own = text(value, member);
    return own === '' ? [] : [[member, own] as const];
  });
  const whole = { name, kind: integer(value, 'kind') ?? PANEL, ...Object.fromEntries(mirrored), model };
  const spec = decoded(LibraryElementSpec, whole, origin, 'library element');
  return withSyncedModel({ apiVersion: '', kind: '', metadata: { name: uid }, spec }).spec ?? spec;
}

/** The spec of an alert rule, as the provisioning API of the legacy API has it. */
export function ruleSpec({ value, origin, group }: FoundRule): AlertRuleSpec {
  const { notificationSettings, ...spec } = specOfBody(decoded(RuleBody, value, origin, 'alert rule'));
  const settings = notificationSettings && { notificationSettings: withoutNulls(notificationSettings) };
  return decoded(AlertRuleSpec, { ...spec, ...settings, ...group }, origin, 'alert rule');
}

/** Tools in Go write null for what is not set. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members: Members = value;
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])),
  );
}

export function teamSpec({ title, email, origin }: FoundTeam): TeamSpec {
  return decoded(TeamSpec, { title, ...(email !== '' && { email }) }, origin, 'team');
}

import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { AlertRuleSpec } from '../schema.js';

const MOST_RULES = 1000;

const text = z.string().nullish();
const content = z.record(z.string(), z.unknown()).nullish();
const texts = z.record(z.string(), z.string()).nullish();

const QueryBody = z.object({
  refId: text,
  queryType: text,
  relativeTimeRange: z.object({ from: z.number().nullish(), to: z.number().nullish() }).nullish(),
  datasourceUid: text,
  model: content,
});

/** A rule as the provisioning API takes it. The kind checks the values. */
export const RuleBody = z.object({
  uid: text,
  folderUID: text,
  ruleGroup: text,
  title: text,
  condition: text,
  data: arrayOf(QueryBody, 1000).nullish(),
  for: text,
  keep_firing_for: text,
  noDataState: text,
  execErrState: text,
  labels: texts,
  annotations: texts,
  isPaused: z.boolean().nullish(),
  missingSeriesEvalsToResolve: z.number().nullish(),
  notification_settings: content,
  record: content,
});
export type RuleBody = z.infer<typeof RuleBody>;

/** A group. Its name and its folder are those of the path. A body without rules must not delete those of the group. */
export const GroupBody = z.object({
  interval: z.number().nullish(),
  rules: arrayOf(RuleBody, MOST_RULES),
});

/**
 * The spec of the rule, without what belongs to its group. Members that are absent, null or empty get the defaults of
 * the kind.
 */
export function specOfBody(body: RuleBody): AlertRuleSpec {
  const { uid: _, folderUID: __, keep_firing_for, notification_settings, data, ...same } = body;
  const spec = {
    ...same,
    keepFiringFor: keep_firing_for,
    notificationSettings: notification_settings,
    data: (data ?? []).map((query) => given({ ...query, relativeTimeRange: given(query.relativeTimeRange ?? {}) })),
  };
  // `objects.create` and `objects.update` decode it by the schema of the kind.
  return given(spec) as AlertRuleSpec;
}

/** The members that have a value. Clients send null or an empty text for what is not set. */
function given(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined && value !== null && value !== '';
  return Object.fromEntries(Object.entries(members).filter(isGiven));
}

/** The API that manages the rule: `api`, or `undefined` if the caller sends `X-Disable-Provenance`. */
export function provenanceOf({ request }: LegacyCall): string | undefined {
  return request.headers['x-disable-provenance'] === undefined ? 'api' : undefined;
}

/** The annotations of a rule in this folder, with this provenance. */
export function placedIn(
  keys: { readonly folder: string; readonly provenance: string },
  old: KubeObject['metadata']['annotations'],
  folder: string,
  provenance: string | undefined,
): Readonly<Record<string, string>> {
  const { [keys.provenance]: _, ...others } = old ?? {};
  return { ...others, [keys.folder]: folder, ...(provenance !== undefined && { [keys.provenance]: provenance }) };
}

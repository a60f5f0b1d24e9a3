import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { IndexRange } from '../../../../registry/client/object-reader.js';
import type { ObjectClient } from '../../../../registry/client/objects.js';
import type { KindEnvironment } from '../../../../registry/kinds/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { Entry } from '../../../../registry/read/reader.js';
import { folderAnnotation } from '../../../folder/folder/schema.js';
import { folderOf } from '../../../folder/placement.js';
import { type AlertQuery, type AlertRuleSpec, PROVENANCE } from '../schema.js';

/** What answers have of an alert rule or a group, and callers send back. */
export const RULE_ANSWERED: readonly string[] = [
  'id',
  'uid',
  'orgID',
  'folderUID',
  'folderUid',
  'ruleGroup',
  'title',
  'condition',
  'data',
  'updated',
  'noDataState',
  'execErrState',
  'for',
  'keep_firing_for',
  'annotations',
  'labels',
  'provenance',
  'isPaused',
  'missingSeriesEvalsToResolve',
  'notification_settings',
  'record',
  'interval',
  'rules',
];

export type AlertRule = KubeObject<AlertRuleSpec>;

export function rulesOf(call: LegacyCall): ObjectClient<AlertRuleSpec> {
  return call.objects<AlertRuleSpec>('rules.alerting/AlertRule');
}

/**
 * The rules that the caller may view, all of them or those of a range. They are not parsed, because there may be many.
 */
export function visibleEntries(call: LegacyCall, range?: IndexRange): readonly Entry[] {
  const filter = rulesOf(call).readFilter();
  return [...rulesOf(call).entries(range)].filter((entry) => filter.all || filter.allows(entry));
}

/** The annotations that adapters read and write. */
export function annotationKeys({ domain }: KindEnvironment) {
  return { folder: folderAnnotation(domain), provenance: `${domain}/${PROVENANCE}` };
}

export function specOf({ spec, metadata }: AlertRule): AlertRuleSpec {
  if (spec === undefined) throw new Error(`the alert rule ${metadata.name} has no spec`);
  return spec;
}

export function folderUidOf(rule: AlertRule, { domain }: KindEnvironment): string {
  return folderOf(rule, domain) ?? '';
}

export function provenanceOfRule({ metadata }: AlertRule, environment: KindEnvironment): string {
  return metadata.annotations?.[annotationKeys(environment).provenance] ?? '';
}

export function updatedAt(call: LegacyCall, { metadata }: AlertRule): string | undefined {
  return metadata.annotations?.[rulesOf(call).kind.ownedKeys.updatedTimestamp] ?? metadata.creationTimestamp;
}

/** The rule in the provisioning API. */
export function provisioned(call: LegacyCall, rule: AlertRule, environment: KindEnvironment): unknown {
  const spec = specOf(rule);
  const provenance = provenanceOfRule(rule, environment);
  return {
    id: rulesOf(call).idOf(rule),
    uid: rule.metadata.name,
    orgID: call.organization.id,
    folderUID: folderUidOf(rule, environment),
    ruleGroup: spec.ruleGroup,
    title: spec.title,
    condition: spec.condition ?? '',
    data: spec.data.map(queryDto),
    updated: updatedAt(call, rule),
    ...statesOf(spec),
    for: spec.for,
    ...(spec.keepFiringFor !== undefined && { keep_firing_for: spec.keepFiringFor }),
    annotations: spec.annotations,
    labels: spec.labels,
    ...(provenance !== '' && { provenance }),
    isPaused: spec.isPaused,
    ...(spec.missingSeriesEvalsToResolve !== undefined && {
      missingSeriesEvalsToResolve: spec.missingSeriesEvalsToResolve,
    }),
    notification_settings: spec.notificationSettings ?? null,
    record: spec.record ?? null,
  };
}

/** A recording rule fires no alerts, so it has none of these states. Clients compare them with what they sent. */
function statesOf({ record, noDataState, execErrState }: AlertRuleSpec) {
  return record === undefined ? { noDataState, execErrState } : { noDataState: '', execErrState: '' };
}

export function queryDto(query: AlertQuery): unknown {
  const { refId, queryType = '', relativeTimeRange = { from: 0, to: 0 }, datasourceUid, model } = query;
  return { refId, queryType, relativeTimeRange, datasourceUid, model };
}

import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { arrayText } from '../../../../registry/legacy/stream.js';
import type { ApisEnvironment } from '../../../environment.js';
import { durationOf } from '../../duration.js';
import { BY_GROUP } from '../schema.js';
import { type AlertRule, provenanceOfRule, queryDto, rulesOf, specOf, updatedAt, visibleEntries } from './dto.js';
import { filterGroups } from './filter.js';
import { folderTitle, groupsOf, type RuleGroup } from './grouping.js';

/** The groups by folder, as JSON text that the ruler of Prometheus would show. `within` limits them to one folder. */
export function* rulerText(
  call: LegacyCall,
  environment: ApisEnvironment,
  within?: string,
): Generator<string, void, undefined> {
  const groups = function* (uids: readonly string[]) {
    for (const uid of uids)
      for (const group of filterGroups(call.query, groupsOf(call, environment, [uid])))
        yield rulerDto(call, group, environment);
  };
  let before = '{';
  for (const [title, uids] of foldersByTitle(call, within)) {
    yield `${before}${JSON.stringify(title)}:`;
    yield* arrayText(groups(uids));
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** The folders that have rules, by title. Several may have one title. */
function foldersByTitle(call: LegacyCall, within?: string): Map<string, string[]> {
  const prefix = [call.organization.namespace, ...(within === undefined ? [] : [within])];
  const uids = visibleEntries(call, { index: BY_GROUP, prefix }).map(({ attributes }) => attributes.container ?? '');
  const folders = new Map<string, string[]>();
  for (const uid of new Set(uids)) {
    const title = folderTitle(call, uid);
    folders.set(title, [...(folders.get(title) ?? []), uid]);
  }
  return folders;
}

function rulerDto(call: LegacyCall, { name, interval, rules }: RuleGroup, environment: ApisEnvironment): unknown {
  return {
    name,
    interval: durationOf(interval),
    rules: rules.map((rule) => {
      const spec = specOf(rule);
      return {
        expr: '',
        for: spec.for,
        ...(spec.keepFiringFor !== undefined && { keep_firing_for: spec.keepFiringFor }),
        labels: spec.labels,
        annotations: spec.annotations,
        grafana_alert: definition(call, rule, interval, environment),
      };
    }),
  };
}

function definition(call: LegacyCall, rule: AlertRule, interval: number, environment: ApisEnvironment): unknown {
  const spec = specOf(rule);
  const provenance = provenanceOfRule(rule, environment);
  return {
    id: rulesOf(call).idOf(rule),
    orgId: call.organization.id,
    title: spec.title,
    condition: spec.condition ?? '',
    data: spec.data.map(queryDto),
    updated: updatedAt(call, rule),
    intervalSeconds: interval,
    version: rule.metadata.generation,
    uid: rule.metadata.name,
    namespace_uid: rulesOf(call).kind.containment?.container(rule) ?? '',
    rule_group: spec.ruleGroup,
    no_data_state: spec.noDataState,
    exec_err_state: spec.execErrState,
    is_paused: spec.isPaused,
    ...(provenance !== '' && { provenance }),
    ...(spec.notificationSettings !== undefined && { notification_settings: spec.notificationSettings }),
    ...(spec.record !== undefined && { record: spec.record }),
  };
}

import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import { legacyJson, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import type { ApisEnvironment } from '../../../environment.js';
import { durationOf, secondsOf } from '../../duration.js';
import type { AlertRuleSpec } from '../schema.js';
import { type AlertRule, provenanceOfRule, queryDto, rulesOf, specOf, updatedAt } from './dto.js';
import { RULE_ERRORS } from './errors.js';
import { folderTitle, groupsOf, type RuleGroup } from './grouping.js';

/** When a rule was evaluated that never was. */
const NEVER = '0001-01-01T00:00:00Z';

/** The stored rules as Prometheus and its ruler show rules. This server evaluates none, so all of them are inactive. */
export function viewRoutes(environment: ApisEnvironment): readonly LegacyRoute[] {
  const viewed = (call: LegacyCall, within: readonly string[]): readonly RuleGroup[] => {
    requireAction(rulesOf(call), 'alert.rules:read');
    return groupsOf(call, environment, within);
  };

  const states = (call: LegacyCall) => {
    const [folder, group] = [call.query.get('folder_uid') ?? '', call.query.get('rule_group') ?? ''];
    const within = folder === '' ? [] : group === '' ? [folder] : [folder, group];
    const groups = viewed(call, within).filter(({ name }) => group === '' || name === group);
    const inactive = groups.reduce((sum, { rules }) => sum + rules.length, 0);
    const data = {
      groups: groups.map((one) => stateDto(call, one)),
      ...(inactive > 0 && { totals: { inactive } }),
    };
    return ok({ status: 'success', data });
  };

  const byFolder = (call: LegacyCall, groups: readonly RuleGroup[]): unknown => {
    const folders = new Map<string, unknown[]>();
    for (const group of groups) {
      const title = folderTitle(call, group.folder);
      folders.set(title, [...(folders.get(title) ?? []), rulerDto(call, group, environment)]);
    }
    return Object.fromEntries(folders);
  };

  return routes(
    { errors: RULE_ERRORS },
    {
      'GET /prometheus/grafana/api/v1/rules': states,
      'GET /ruler/grafana/api/v1/rules': (call) => ok(byFolder(call, viewed(call, []))),
      'GET /ruler/grafana/api/v1/rules/:folderUid': (call) =>
        legacyJson(202, byFolder(call, viewed(call, [call.param('folderUid')]))),
    },
  );
}

function stateDto(call: LegacyCall, { folder, name, interval, rules }: RuleGroup): unknown {
  return {
    name,
    file: folderTitle(call, folder),
    folderUid: folder,
    rules: rules.map((rule) => {
      const spec = specOf(rule);
      return {
        state: 'inactive',
        name: spec.title,
        query: queryText(spec),
        duration: secondsOf(spec.for),
        keepFiringFor: secondsOf(spec.keepFiringFor ?? ''),
        annotations: spec.annotations,
        labels: spec.labels,
        alerts: [],
        health: 'unknown',
        type: spec.record === undefined ? 'alerting' : 'recording',
        lastEvaluation: NEVER,
        evaluationTime: 0,
        uid: rule.metadata.name,
        folderUid: folder,
        isPaused: spec.isPaused,
      };
    }),
    totals: { inactive: rules.length },
    interval,
    lastEvaluation: NEVER,
    evaluationTime: 0,
  };
}

/** The expressions of the queries; without one, all queries as JSON. */
function queryText({ data }: AlertRuleSpec): string {
  const expressions = data.map(({ model }) => model['expr']).filter((expr) => typeof expr === 'string');
  return expressions.join(' | ') || JSON.stringify(data.map(queryDto));
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

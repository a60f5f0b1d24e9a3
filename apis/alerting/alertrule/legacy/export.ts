import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { toYamlItem } from '../../../../pkg/kube/json/to-yaml.js';
import { flag, oneOf } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { arrayText, each, okJson } from '../../../../registry/legacy/stream.js';
import type { ApisEnvironment } from '../../../environment.js';
import { RULE_EXPORT } from './answers.js';
import { type AlertRule, queryDto, rulesOf, specOf } from './dto.js';
import { RULE_ERRORS } from './errors.js';
import { folderTitle, groupsOf, type RuleGroup } from './grouping.js';
import { FORMATS, RULE_NOTES } from './notes.js';

const OPTIONS = ['format', 'download'];

/** Alert rules in the form of the files that provision them. */
export function exportRoutes(environment: ApisEnvironment): readonly LegacyRoute[] {
  const all = (call: LegacyCall): ApiResponse => {
    const folders = call.query.getAll('folderUid');
    const [group, uid] = [call.query.get('group') ?? '', call.query.get('ruleUid') ?? ''];
    const groups = selected(groupsOf(call, environment), (ruleGroup, rule) => {
      const isInFolder = folders.length === 0 || folders.includes(ruleGroup.folder);
      return isInFolder && (group === '' || ruleGroup.name === group) && (uid === '' || rule.metadata.name === uid);
    });
    return file(call, groups);
  };
  const one = (call: LegacyCall): ApiResponse => {
    const { name } = rulesOf(call).get(call.param('uid')).metadata;
    return file(
      call,
      selected(groupsOf(call, environment), (_, rule) => rule.metadata.name === name),
    );
  };
  const group = (call: LegacyCall): ApiResponse => {
    requireAction(rulesOf(call), 'alert.rules:read');
    const groups = [...groupsOf(call, environment, [call.param('folderUid'), call.param('group')])];
    if (groups.length === 0) throw plainFailure(404, 'alert rule group not found');
    return file(call, groups);
  };
  return routes(
    { notes: RULE_NOTES, errors: RULE_ERRORS, fallback: 'Failed to export alert rules' },
    {
      'GET /v1/provisioning/alert-rules/export': {
        answer: RULE_EXPORT,
        summary: 'Exports alert rules as a file',
        query: [...OPTIONS, 'folderUid', 'group', 'ruleUid'],
        lists: ['folderUid'],
        handle: (call) => {
          requireAction(rulesOf(call), 'alert.rules:read');
          return all(call);
        },
      },
      'GET /v1/provisioning/alert-rules/:uid/export': {
        answer: RULE_EXPORT,
        summary: 'Exports an alert rule as a file',
        query: OPTIONS,
        handle: one,
      },
      'GET /v1/provisioning/folder/:folderUid/rule-groups/:group/export': {
        answer: RULE_EXPORT,
        summary: 'Exports the alert rules of a group as a file',
        query: OPTIONS,
        handle: group,
      },
    },
  );
}

type Wanted = (group: RuleGroup, rule: AlertRule) => boolean;

/** The groups with the wanted rules, without groups that have none of them. */
function* selected(groups: Iterable<RuleGroup>, isWanted: Wanted): Generator<RuleGroup, void, undefined> {
  for (const group of groups) {
    const rules = group.rules.filter((rule) => isWanted(group, rule));
    if (rules.length > 0) yield { ...group, rules };
  }
}

/** The file: YAML, or JSON if the caller asks for it. It is made while it is sent. */
function file(call: LegacyCall, groups: Iterable<RuleGroup>): ApiResponse {
  const { query, request } = call;
  if (query.get('format') === 'hcl')
    throw plainFailure(400, 'format: hcl is not supported. Use yaml or json, or read the rules with the provider');
  const accepted = (request.headers['accept'] ?? '').includes('application/json') ? 'json' : 'yaml';
  const format = oneOf(query, 'format', FORMATS) ?? accepted;
  const items = each(groups, (group) => groupItem(call, group));
  const answer = okJson(format === 'json' ? jsonText(items) : yamlText(items));
  const name = flag(query, 'download') && { 'content-disposition': `attachment;filename=export.${format}` };
  // The rest is read while the answer is sent.
  call.readOn();
  return { ...answer, headers: { ...answer.headers, 'content-type': `application/${format}`, ...name } };
}

function* jsonText(items: Iterable<unknown>): Generator<string, void, undefined> {
  yield '{"apiVersion":1,"groups":';
  yield* arrayText(items);
  yield '}';
}

function* yamlText(items: Iterable<unknown>): Generator<string, void, undefined> {
  let before = 'apiVersion: 1\ngroups:\n';
  for (const item of items) {
    yield before + toYamlItem(item);
    before = '';
  }
  if (before !== '') yield 'apiVersion: 1\ngroups: []\n';
}

function groupItem(call: LegacyCall, { name, folder, interval, rules }: RuleGroup): unknown {
  return {
    orgId: call.organization.id,
    name,
    folder: folderTitle(call, folder),
    interval: interval % 60 === 0 ? `${interval / 60}m` : `${interval}s`,
    rules: rules.map(ruleItem),
  };
}

function ruleItem(rule: AlertRule): unknown {
  const spec = specOf(rule);
  const { record, keepFiringFor, missingSeriesEvalsToResolve, notificationSettings } = spec;
  return {
    uid: rule.metadata.name,
    title: spec.title,
    ...(record === undefined && { condition: spec.condition ?? '' }),
    data: spec.data.map(queryDto),
    ...(record === undefined && { noDataState: spec.noDataState, execErrState: spec.execErrState }),
    for: spec.for,
    ...(keepFiringFor !== undefined && { keepFiringFor }),
    annotations: spec.annotations,
    labels: spec.labels,
    isPaused: spec.isPaused,
    ...(missingSeriesEvalsToResolve !== undefined && { missing_series_evals_to_resolve: missingSeriesEvalsToResolve }),
    ...(notificationSettings !== undefined && { notification_settings: notificationSettings }),
    ...(record !== undefined && { record }),
  };
}

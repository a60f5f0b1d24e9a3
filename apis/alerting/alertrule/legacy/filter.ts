import { positive } from '../../../../registry/legacy/body.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { type AlertRule, specOf } from './dto.js';
import type { RuleGroup } from './grouping.js';

/** The query parameters that select rules of a view. */
export const DASHBOARD_FILTERS = ['dashboard_uid', 'panel_id'];
export const STATE_FILTERS = [...DASHBOARD_FILTERS, 'rule_name', 'type', 'state', 'health', 'limit_rules'];
/** Those of them that may be repeated. */
export const STATE_LISTS = ['rule_name', 'type', 'state', 'health'];

/** The annotations with which a rule names its dashboard and panel. */
const [DASHBOARD, PANEL] = ['__dashboardUid__', '__panelId__'];
export const TYPES: Readonly<Record<string, string>> = {
  alert: 'alert',
  alerting: 'alert',
  record: 'record',
  recording: 'record',
};
/** No rule is evaluated, so all of them are inactive, and their health is unknown. */
const INACTIVE: ReadonlySet<string> = new Set(['inactive', 'normal']);
export const STATES = [...INACTIVE, 'pending', 'firing', 'recovering', 'nodata', 'error'];
const UNKNOWN: ReadonlySet<string> = new Set(['unknown']);
export const HEALTHS = [...UNKNOWN, 'ok', 'error', 'nodata'];

type Condition = (rule: AlertRule) => boolean;

/**
 * The groups with the rules that the query asks for, without groups that have none of them. Throws 400 for values that
 * are not known.
 */
export function filterGroups(query: URLSearchParams, groups: Iterable<RuleGroup>): Iterable<RuleGroup> {
  const conditions = [...conditionsOf(query)];
  const limit = positive(query, 'limit_rules', Number.POSITIVE_INFINITY);
  return (function* filtered() {
    for (const group of groups) {
      const rules = group.rules.filter((rule) => conditions.every((condition) => condition(rule))).slice(0, limit);
      if (rules.length > 0) yield { ...group, rules };
    }
  })();
}

function* conditionsOf(query: URLSearchParams): Generator<Condition, void, undefined> {
  const [dashboard, panel] = [query.get('dashboard_uid') ?? '', positive(query, 'panel_id', 0)];
  if (panel > 0 && dashboard === '') throw plainFailure(400, 'panel_id must be set with dashboard_uid');
  if (dashboard !== '') yield (rule) => specOf(rule).annotations?.[DASHBOARD] === dashboard;
  if (panel > 0) yield (rule) => specOf(rule).annotations?.[PANEL] === String(panel);
  const titles = new Set(query.getAll('rule_name').filter((title) => title !== ''));
  if (titles.size > 0) yield (rule) => titles.has(specOf(rule).title);
  const types = wanted(query, 'type', Object.keys(TYPES)).map((type) => TYPES[type]);
  if (types.length > 0) yield (rule) => types.includes(specOf(rule).record === undefined ? 'alert' : 'record');
  yield* fixed(wanted(query, 'state', STATES), INACTIVE);
  yield* fixed(wanted(query, 'health', HEALTHS), UNKNOWN);
}

/** Nothing, if the values that are asked for are none of those that all rules have. */
function* fixed(requested: readonly string[], all: ReadonlySet<string>): Generator<Condition, void, undefined> {
  if (requested.length > 0 && !requested.some((value) => all.has(value))) yield () => false;
}

function wanted(query: URLSearchParams, name: string, known: readonly string[]): readonly string[] {
  const values = query.getAll(name).filter((value) => value !== '');
  const unknown = values.find((value) => !known.includes(value.toLowerCase()));
  if (unknown !== undefined) throw plainFailure(400, `${name} must be ${known.join(' or ')}`);
  return values.map((value) => value.toLowerCase());
}

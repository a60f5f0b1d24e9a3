import { z } from 'zod';
import { lazy } from '../../../../pkg/system/object/lazy.js';
import { answer, anyObject, listOf } from '../../../../registry/legacy/answers.js';

const texts = () => z.record(z.string(), z.string());

const query = () =>
  z.object({
    refId: z.string(),
    queryType: z.string(),
    relativeTimeRange: z.object({ from: z.int(), to: z.int() }).describe('Seconds before now.'),
    datasourceUid: z.string(),
    model: anyObject(),
  });

export const ALERT_RULE = answer('AlertRule', 'An alert rule.', () => ({
  id: z.int(),
  uid: z.string(),
  orgID: z.int(),
  folderUID: z.string(),
  ruleGroup: z.string(),
  title: z.string(),
  condition: z.string(),
  data: z.array(query()),
  updated: z.string(),
  noDataState: z.string(),
  execErrState: z.string(),
  for: z.string(),
  keep_firing_for: z.string().optional(),
  annotations: texts(),
  labels: texts(),
  provenance: z.string().optional(),
  isPaused: z.boolean(),
  notification_settings: anyObject().nullable(),
  record: anyObject().nullable(),
  missingSeriesEvalsToResolve: z.int().optional(),
  guid: z.string().optional(),
}));
export const ALERT_RULES = listOf(ALERT_RULE);
export const RULE_GROUP = answer('RuleGroup', 'A group of alert rules, which are evaluated together.', () => ({
  title: z.string(),
  folderUid: z.string(),
  interval: z.int().describe('Seconds.'),
  rules: z.array(ALERT_RULE()),
}));

export const RULE_EXPORT = answer(
  'RuleExport',
  'Alert rules as files of provisioning have them: YAML, unless `format` or `Accept` asks for JSON.',
  () => ({
    apiVersion: z.int(),
    groups: z.array(anyObject()),
  }),
);

export const RULE_STATES = answer('RuleStates', 'Alert rules as Prometheus shows them.', () => ({
  status: z.string(),
  data: anyObject(),
}));

const RULER_GROUP = answer('RulerGroup', 'A group of alert rules as the ruler shows it.', () => ({
  name: z.string(),
  interval: z.string(),
  rules: z.array(anyObject()),
}));
/** By the title of the folder. */
export const RULER_GROUPS = lazy(() => z.record(z.string(), z.array(RULER_GROUP())));

import { z } from 'zod';
import { arrayOf, recordOf } from '../../../pkg/kube/meta/bounded.js';
import { line } from '../../../registry/kinds/fields.js';
import { DURATION } from '../duration.js';

/** The longest title and the longest name of a group, in characters. */
const LONGEST_TITLE = 190;
const MOST_QUERIES = 100;
const MOST_LABELS = 100;
/** Seconds in a year: no range of a query and no interval is longer. */
const YEAR = 31_536_000;

const title = () => line(LONGEST_TITLE).min(1, 'must not be empty');
const NO_DURATION = 'must be a duration such as 5m or 1h30m';
const duration = () => z.string().min(1, NO_DURATION).max(100).regex(DURATION, NO_DURATION);
const texts = () => recordOf(z.string().max(10_000), MOST_LABELS);
/** Content that only an engine that evaluates rules understands. */
const content = () => recordOf(z.unknown(), 1000);

export const AlertQuery = z
  .strictObject({
    refId: line(200).min(1, 'must not be empty').describe('Name of the query in its rule, such as A.'),
    queryType: line(200).optional().describe('Type of the query, if the data source has several.'),
    relativeTimeRange: z
      .strictObject({ from: z.int().min(0).max(YEAR).default(0), to: z.int().min(0).max(YEAR).default(0) })
      .optional()
      .meta({ id: 'AlertQueryTimeRange', description: 'The time that the query covers, in seconds before now.' }),
    datasourceUid: line(200).default('').describe('Data source; __expr__ for an expression over other queries.'),
    model: content().default({}).meta({ default: {}, description: 'The query, as its data source takes it.' }),
  })
  .meta({ id: 'AlertQuery', description: 'A query, or an expression over other queries.' });
export type AlertQuery = z.infer<typeof AlertQuery>;

export const AlertRuleSpec = z
  .strictObject({
    title: title().describe('Title shown to people. It is unique in the folder.'),
    ruleGroup: title().describe('Group in the folder whose rules are evaluated together.'),
    interval: z
      .int()
      .min(1)
      .max(YEAR)
      .optional()
      .describe('Seconds between evaluations of the group; absent: as for the other rules of the group, or 60.'),
    groupIndex: z.int().min(0).max(1_000_000).optional().describe('Place in the group; rules without come last.'),
    condition: line(200).optional().describe('refId of the query that decides. Recording rules have none.'),
    data: arrayOf(AlertQuery, MOST_QUERIES).meta({ description: 'The queries and expressions.' }),
    for: duration().default('0s').describe('How long the condition must hold before the rule fires.'),
    keepFiringFor: duration().optional().describe('How long the rule fires after the condition has ceased to hold.'),
    noDataState: z
      .enum(['NoData', 'Alerting', 'OK', 'KeepLast'])
      .default('NoData')
      .describe('State if the queries return nothing.'),
    execErrState: z
      .enum(['Error', 'Alerting', 'OK', 'KeepLast'])
      .default('Error')
      .describe('State if the queries fail.'),
    labels: texts().default({}).meta({ default: {}, description: 'Labels of the alerts, by which they are routed.' }),
    annotations: texts().default({}).meta({ default: {}, description: 'Texts for people who get the alerts.' }),
    isPaused: z.boolean().default(false).describe('A paused rule is not evaluated.'),
    missingSeriesEvalsToResolve: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Evaluations without a series after which its alert ends.'),
    notificationSettings: content().optional().meta({ description: 'Who is notified, instead of by the labels.' }),
    record: content()
      .optional()
      .meta({ description: 'Makes it a recording rule: the metric to write, and from what.' }),
  })
  .meta({ id: 'AlertRuleSpec', description: 'What an alert rule is.' });
export type AlertRuleSpec = z.infer<typeof AlertRuleSpec>;

/** Rules by title, which is unique: `[namespace, folder, title]`. */
export const BY_TITLE = 'byTitle';
/** Rules by group: `[namespace, folder, group]`. */
export const BY_GROUP = 'byGroup';

/** The annotation, without the domain, that says by which API a rule is managed: `api`, or absent. */
export const PROVENANCE = 'provenance';

export const TITLE_TAKEN = 'rule title under the same organisation and folder should be unique';

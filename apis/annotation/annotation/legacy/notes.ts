import { flag, number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';
import { LIMIT, TYPES } from './query.js';

export const ANNOTATION_NOTES: ParameterNotes = {
  annotationId: number('The number of the annotation.'),
  from: number('Milliseconds since 1970: only annotations that end then or later.'),
  to: number('Milliseconds since 1970: only annotations that begin then or earlier.'),
  userId: number('The number of the author, a user or a service account.'),
  alertId: number('The number of the alert rule.'),
  alertUID: 'The uid of the alert rule. It counts more than `alertId`.',
  dashboardId: number('The number of the dashboard.'),
  dashboardUID: 'The uid of the dashboard. It counts more than `dashboardId`.',
  panelId: number('The number of the panel.'),
  type: { description: 'Only annotations of alert rules, or only others.', values: TYPES },
  tags: 'Only annotations with these tags, at most 20.',
  tag: 'A text that the tags contain.',
  matchAny: flag('Whether one of the tags is enough.'),
  limit: number('The most items of the answer, at most 10,000.', LIMIT),
};

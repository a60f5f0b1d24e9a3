import { flag, number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';
import { LIMIT, SORTS } from './query.js';

const TIME = 'Milliseconds since 1970, or a time such as `now-5m` or `now/d`.';

export const HISTORY_NOTES: ParameterNotes = {
  uid: 'The uid of the item.',
  datasourceUid: 'Only items that asked each of these data sources.',
  searchString: 'A text that the queries or the comment contain.',
  onlyStarred: flag('Only items that are starred.'),
  sort: { description: 'The order, by time.', values: SORTS, initial: 'time-desc' },
  from: `Only items from this time on. ${TIME}`,
  to: `Only items up to this time. ${TIME}`,
  limit: number('The most items of a page, at most 1000.', LIMIT),
};

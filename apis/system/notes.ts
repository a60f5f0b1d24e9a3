import { flag, number, type ParameterNotes } from '../../registry/legacy/parameter-notes.js';
import { FACETS } from './search-facets.js';
import { LIMIT, NAMED_SORTS, SEARCHED_TYPES, SORTS } from './search-query.js';

export const SYSTEM_NOTES: ParameterNotes = {
  query: 'Words that the title contains, in any order and case.',
  type: { description: 'Only folders, or only dashboards.', values: SEARCHED_TYPES },
  tag: 'Only dashboards with all of these tags.',
  dashboardUIDs: 'Only dashboards with these uids, separated by commas.',
  dashboardUID: 'The same as `dashboardUIDs`.',
  dashboardIds: 'Only dashboards with these numbers, separated by commas.',
  folderUIDs: 'Only what lies in folders with these uids, separated by commas. The root is `general`.',
  folderIds: 'Only what lies in folders with these numbers, separated by commas. The root is 0.',
  folder: 'The name of the folder. The root is `general`.',
  name: 'The name of the object.',
  starred: flag('Only dashboards that the caller has starred.'),
  permission: 'With `Edit`, only what the caller may change.',
  deleted: flag('Not possible: `true` is answered with 400.'),
  sort: { description: 'The order, by title.', values: SORTS, initial: 'alpha-asc' },
  limit: number('The most items of the answer, at most 5000.', LIMIT),
  offset: number('How many items to leave out.', 0),
  uid: 'The uid of the data source.',
  includeExpired: flag('It changes nothing: the list is empty.'),
};

/** The search of the command lines has names of kinds, and pages of another length. */
export const NAMED_SEARCH_NOTES: ParameterNotes = {
  ...SYSTEM_NOTES,
  type: { description: 'Only folders, or only dashboards.', values: ['dashboard', 'dashboards', 'folder', 'folders'] },
  sort: {
    description:
      'The order: by title, or by `rank`: titles that are equal to the words, begin with them, have words that begin with them, and the others. Folders come before dashboards. `changed`: what was changed last comes first.',
    values: NAMED_SORTS,
    initial: 'title',
  },
  facet: { description: 'Counts all hits by their tags, or by their kinds, of whatever type.', values: FACETS },
  details: flag('Tells of each hit who changed it and when, and what lies in a folder. Then `limit` is at most 100.'),
  limit: number('The most items of the answer.', 50),
};

export const AUDIT_NOTES: ParameterNotes = { limit: number('The most events, at most 1000.', 100) };

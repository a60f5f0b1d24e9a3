import { number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';
import { PER_PAGE, SORTS } from './list.js';

export const ELEMENT_NOTES: ParameterNotes = {
  uid: 'The uid of the element.',
  name: 'The name of the element.',
  searchString: 'A text that the name, the description or the title of the folder contains.',
  kind: number('1 for panels, and 2 for variables.'),
  sortDirection: { description: 'The order, by name.', values: SORTS, initial: 'alpha-asc' },
  typeFilter: 'Only elements of these types, such as `timeseries`, separated by commas.',
  excludeUid: 'The uid of an element to leave out.',
  folderFilter: 'Only elements in folders with these numbers, separated by commas. The root is 0.',
  folderFilterUIDs: 'The same with the uids of folders. The root is `general`.',
  perPage: number('The most items of a page.', PER_PAGE),
};

import { number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const DASHBOARD_NOTES: ParameterNotes = {
  uid: 'The uid of the dashboard.',
  id: number('The number of the dashboard.'),
  version: number('The number of the version.'),
  start: 'Where the page begins.',
};

import { number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const STAR_NOTES: ParameterNotes = {
  uid: 'The uid of the dashboard.',
  id: number('The number of the dashboard.'),
};

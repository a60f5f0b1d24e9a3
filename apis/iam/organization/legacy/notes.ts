import { number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const ORGANIZATION_NOTES: ParameterNotes = {
  name: 'The name of the organization.',
  uid: 'Only members with these uids.',
  limit: number('The most items of the answer. Without it, all.'),
};

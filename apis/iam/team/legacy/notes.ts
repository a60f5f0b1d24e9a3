import { number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const TEAM_NOTES: ParameterNotes = {
  name: 'The name of the team.',
  limit: number('The most items of the answer.'),
  groupId: 'The group of the sign-on provider.',
  sort: 'The order, such as `name-asc` or `memberCount-desc`; several are separated by commas.',
};

import { flag, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const ROLE_NOTES: ParameterNotes = {
  uid: 'The uid of the role.',
  userId: 'The number or the uid of the user or the service account.',
  includeHidden: flag('Whether hidden roles are in the list.'),
  force: flag('Whether the role is deleted although somebody has it.'),
  global: flag('Whether a role of all organizations is meant. Only administrators of the server may change one.'),
};

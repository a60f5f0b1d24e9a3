import { number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const PERMISSION_NOTES: ParameterNotes = {
  uid: 'The uid of the object.',
  id: number('The number of the object.'),
  userId: 'The number or the uid of the user or the service account.',
  role: { description: 'The basic role.', values: ['Viewer', 'Editor', 'Admin'] },
};

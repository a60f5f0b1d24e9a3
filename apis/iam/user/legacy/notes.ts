import { flag, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const USER_NOTES: ParameterNotes = {
  id: 'The number or the uid of the user.',
  activeLast30Days: flag('Only users who called in the last 30 days.'),
  loginOrEmail: 'The login or the e-mail address.',
  sort: 'The order, such as `login-asc` or `lastSeenAtAge-desc`; several are separated by commas.',
};

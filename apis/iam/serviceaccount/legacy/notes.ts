import { flag, number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const ACCOUNT_NOTES: ParameterNotes = {
  id: 'The number or the uid of the service account.',
  tokenId: number('The number of the token.'),
  disabled: flag('Only disabled service accounts.'),
  expiredTokens: flag('Only service accounts with a token that has expired.'),
};

import { number, type ParameterNotes, yes } from '../../../../registry/legacy/parameter-notes.js';

export const ACCOUNT_NOTES: ParameterNotes = {
  id: 'The number or the uid of the service account.',
  tokenId: number('The number of the token.'),
  disabled: yes('Only disabled service accounts.'),
  expiredTokens: yes('Only service accounts with a token that has expired.'),
};

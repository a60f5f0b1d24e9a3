import { z } from 'zod';
import { accessControl, answer, doneWith, listOf, pageWith } from '../../../../registry/legacy/answers.js';

export const ACCOUNT = answer('ServiceAccount', 'A service account.', () => ({
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  login: z.string(),
  orgId: z.int(),
  isDisabled: z.boolean(),
  isExternal: z.boolean(),
  role: z.string(),
  tokens: z.int().describe('The number of its tokens.'),
  avatarUrl: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  accessControl: accessControl(),
}));
export const ACCOUNT_PAGE = pageWith('serviceAccounts', ACCOUNT);
export const ACCOUNT_CHANGED = doneWith(() => ({
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  serviceaccount: ACCOUNT(),
}));

export const TOKENS = listOf(
  answer('Token', 'A token of a service account, without its secret.', () => ({
    id: z.int(),
    name: z.string(),
    created: z.string(),
    lastUsedAt: z.string().nullable(),
    expiration: z.string().nullable(),
    secondsUntilExpiration: z.number().describe('0 if it does not expire.'),
    hasExpired: z.boolean(),
    isRevoked: z.boolean(),
  })),
);
export const NEW_TOKEN = answer('NewToken', 'A new token.', () => ({
  id: z.int(),
  name: z.string(),
  key: z.string().describe('The secret. It is never shown again.'),
}));

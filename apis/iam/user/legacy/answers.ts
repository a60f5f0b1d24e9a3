import { z } from 'zod';
import { accessControl, answer, doneWith, listOf, pageWith } from '../../../../registry/legacy/answers.js';

const FOUND_USER = answer('FoundUser', 'A user in a list.', () => ({
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  login: z.string(),
  email: z.string(),
  avatarUrl: z.string(),
  isAdmin: z.boolean().describe('Whether the user administers the server.'),
  isDisabled: z.boolean(),
  lastSeenAt: z.string().describe('Ten years before `created` if the user never called.'),
  lastSeenAtAge: z.string(),
  authLabels: z.array(z.string()).describe('The sign-on providers of the user.'),
  isProvisioned: z.boolean(),
  created: z.string(),
}));
export const USERS = listOf(FOUND_USER);
export const USER_PAGE = pageWith('users', FOUND_USER);

export const USER = answer('User', 'A user.', () => ({
  id: z.int(),
  uid: z.string(),
  email: z.string(),
  name: z.string(),
  login: z.string(),
  theme: z.string(),
  orgId: z.int().describe('The organization in which the user works.'),
  isGrafanaAdmin: z.boolean().describe('Whether the user administers the server.'),
  isDisabled: z.boolean(),
  isExternal: z.boolean(),
  isExternallySynced: z.boolean(),
  isGrafanaAdminExternallySynced: z.boolean(),
  authLabels: z.array(z.string()).nullable().describe('The sign-on providers of the user.'),
  updatedAt: z.string(),
  createdAt: z.string(),
  avatarUrl: z.string(),
  isProvisioned: z.boolean(),
  accessControl: accessControl(),
}));
export const USER_CREATED = doneWith(() => ({ id: z.int(), uid: z.string() }));

export const SESSIONS = listOf(
  answer('Session', 'A session of a user.', () => ({
    id: z.int(),
    isActive: z.boolean().describe('Whether it is the session of this request.'),
    clientIp: z.string(),
    device: z.string(),
    os: z.string(),
    osVersion: z.string(),
    browser: z.string(),
    browserVersion: z.string(),
    authModule: z.string().optional(),
    createdAt: z.string(),
    seenAt: z.string(),
  })),
);
export const ROTATED = answer('Rotated', 'Nothing: the new session is in the cookie.', () => ({}));

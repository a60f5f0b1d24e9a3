import { AUTHENTICATED_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';

/** The callers that every table of permissions has a column for. */
export const CALLERS = [
  'anon',
  'viewer',
  'editor',
  'admin',
  'root',
  'botV',
  'botA',
  'member',
  'lead',
  'outsider',
] as const;
export type Caller = (typeof CALLERS)[number];

/** The service accounts. */
export const BOTS: readonly Caller[] = ['botV', 'botA'];

export const isPerson = (caller: Caller): boolean => caller !== 'anon' && !BOTS.includes(caller);

/** The password of the people. */
export const PASSWORD = 'open sesame';

/** A stored user as a caller of `default`. */
export function personNamed(uid: string): UserInfo {
  return { name: uid, uid, groups: [AUTHENTICATED_GROUP], extra: { 'svc.app/organization': ['default'] } };
}

import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';

/** Server administrators may do everything; nothing else is asked. */
export function isMaster({ groups }: UserInfo): boolean {
  return groups.includes(MASTERS_GROUP);
}

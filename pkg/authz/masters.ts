import { MASTERS_GROUP } from '../authn/user.js';
import type { Authorizer } from './authorizer.js';

/** Members of system:masters may do everything; nobody else anything. */
export const mastersAuthorizer: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(MASTERS_GROUP) ? { allow: true } : { allow: false, reason: '' }),
};

import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';

/**
 * The caller of admin.token and of the administrator's client certificate. It is no stored user: no login begins with
 * `system:`, and no uid of an object has a colon. It has full rights, and these do not depend on any stored user.
 */
export const OPERATOR: UserInfo = { name: 'system:admin', uid: 'system:admin', groups: [MASTERS_GROUP], extra: {} };

import type { UserSpec } from '../../iam/user/schema.js';

/** The login of a user. Absent: the user is disabled, and sees nothing here. */
export function loginOf(user: Partial<UserSpec> | undefined): string | undefined {
  return user?.disabled === true || user?.login === '' ? undefined : user?.login;
}

import type { GroupResource } from '../../pkg/status/errors.js';
import { forbidden } from '../../pkg/status/errors.js';
import { ApiError } from '../../pkg/status/status.js';

/** The cause by which callers tell this refusal from a lack of rights. */
export const LAST_ADMINISTRATOR = 'LastAdministrator';

/** Nobody could undo it: without an administrator there is nobody left to make one. */
export function lastAdministrator(gr: GroupResource, name: string, message: string, field: string): ApiError {
  const error = forbidden(gr, name, message);
  const causes = [{ reason: LAST_ADMINISTRATOR, message, field }];
  const { code, reason, details } = error;
  return new ApiError({ code, reason, message: error.message, details: { ...details, causes } });
}

import { forbidden, type GroupResource } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';

/** The cause that distinguishes this refusal from missing permissions. */
export const LAST_ADMINISTRATOR = 'LastAdministrator';

/** The refusal to remove the last administrator: nobody would be left who could appoint another one. */
export function lastAdministrator(gr: GroupResource, name: string, message: string, field: string): ApiError {
  const error = forbidden(gr, name, message);
  const causes = [{ reason: LAST_ADMINISTRATOR, message, field }];
  const { code, reason, details } = error;
  return new ApiError({ code, reason, message: error.message, details: { ...details, causes } });
}

import { forbidden, type GroupResource } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';

/** The cause that distinguishes this refusal from missing permissions. */
export const EXTERNAL_USER = 'ExternalUser';
const MESSAGE = 'User info cannot be updated for external Users';

/** The refusal to change the profile of a user who signs in by a provider: the next sign-in would change it back. */
export function externalUser(gr: GroupResource, name: string): ApiError {
  const error = forbidden(gr, name, MESSAGE);
  const { code, reason, details, message } = error;
  const causes = [{ reason: EXTERNAL_USER, message: MESSAGE, field: 'spec' }];
  return new ApiError({ code, reason, message, details: { ...details, causes } });
}

import type { Permission } from '../../../pkg/identity/authz/grants.js';
import { fold } from '../../../pkg/kube/meta/fold.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import { basicRole, permissionsOfSubjects } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import type { TeamSpec } from './schema.js';

/** The permissions of the role that a team of a provisioning system gives its members (`scim.group_roles`). */
export function permissionsOfRole(
  { title, provisioned }: TeamSpec,
  ctx: WriteContext,
  environment: AccessEnvironment,
): readonly Permission[] {
  const role = provisioned === true ? environment.scim?.groupRoles.get(fold(title)) : undefined;
  return role === undefined ? [] : permissionsOfSubjects([basicRole(role)], ctx, environment);
}

import { type LegacyRouter, legacyRouter } from '../../../../registry/legacy/router.js';
import type { IamServices } from '../../legacy/services.js';
import { adminRoutes } from './admin.js';
import { ownRoutes } from './self.js';
import { userRoutes } from './users.js';

/** `/api/users` and `/api/admin/users` for server administrators, `/api/user` for everyone's own account. */
export function userRouter(services: IamServices): LegacyRouter {
  return legacyRouter(services, userRoutes(), ownRoutes(services), adminRoutes(services));
}

import type { KindEnvironment } from '../registry/kind.js';
import type { LegacyRoute } from '../registry/legacy/route.js';
import { accessControlRoutes } from './folder/folder/legacy/access-control.js';
import { folderRoutes } from './folder/folder/legacy/router.js';
import type { IamServices } from './iam/legacy/services.js';
import { organizationRoutes } from './iam/organization/legacy/router.js';
import { serviceAccountsLegacy } from './iam/serviceaccount/legacy/router.js';
import { teamsLegacy } from './iam/team/legacy/router.js';
import { adminUsersLegacy } from './iam/user/legacy/admin.js';
import { usersLegacy } from './iam/user/legacy/router.js';
import { signedInUserLegacy } from './iam/user/legacy/self.js';
import { preferencesLegacy } from './preferences/preferences/legacy/router.js';
import { systemRoutes } from './system/router.js';
import type { ShownSettings } from './system/settings.js';

/** The one list of adapters of the legacy interface. */
export function legacyRoutes(
  environment: KindEnvironment,
  iam: IamServices,
  settings: ShownSettings = {},
): readonly LegacyRoute[] {
  return [
    ...folderRoutes(environment),
    ...accessControlRoutes(environment),
    ...organizationRoutes(environment),
    ...systemRoutes(iam, settings),
    ...usersLegacy(iam),
    ...signedInUserLegacy(iam),
    ...adminUsersLegacy(iam),
    ...preferencesLegacy(iam),
    ...teamsLegacy(iam),
    ...serviceAccountsLegacy(iam),
  ];
}

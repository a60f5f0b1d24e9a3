import type { KindEnvironment } from '../registry/kind.js';
import type { LegacyRoute } from '../registry/legacy/route.js';
import { accessControlRoutes } from './folder/legacy/access-control.js';
import { folderRoutes } from './folder/legacy.js';
import type { IamServices } from './iam/legacy/services.js';
import { organizationRoutes } from './organization/legacy.js';
import { preferencesLegacy } from './preferences/legacy.js';
import { serviceAccountsLegacy } from './serviceaccount/legacy.js';
import { systemRoutes } from './system/legacy.js';
import type { ShownSettings } from './system/settings.js';
import { teamsLegacy } from './team/legacy.js';
import { usersLegacy } from './user/legacy.js';
import { adminUsersLegacy } from './user/legacy-admin.js';
import { signedInUserLegacy } from './user/legacy-self.js';

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

import type { KindEnvironment } from '../registry/kind.js';
import type { LegacyRoute } from '../registry/legacy/route.js';
import { accessControlLegacy } from './folder/folder/legacy/access-control.js';
import { folderLegacy } from './folder/folder/legacy/router.js';
import type { IamServices } from './iam/legacy/services.js';
import { organizationLegacy } from './iam/organization/legacy/router.js';
import { serviceAccountLegacy } from './iam/serviceaccount/legacy/router.js';
import { teamLegacy } from './iam/team/legacy/router.js';
import { adminUserLegacy } from './iam/user/legacy/admin.js';
import { userLegacy } from './iam/user/legacy/router.js';
import { signedInUserLegacy } from './iam/user/legacy/self.js';
import { preferencesLegacy } from './preferences/preferences/legacy/router.js';
import type { ShownSettings } from './system/administration.js';
import { systemLegacy } from './system/router.js';

/** The list of the routers of the legacy API. */
export function legacyRoutes(
  environment: KindEnvironment,
  iam: IamServices,
  settings: ShownSettings = {},
): readonly LegacyRoute[] {
  return [
    ...folderLegacy(environment),
    ...accessControlLegacy(environment),
    ...organizationLegacy(environment),
    ...systemLegacy(iam, settings),
    ...userLegacy(),
    ...signedInUserLegacy(iam),
    ...adminUserLegacy(iam),
    ...preferencesLegacy(),
    ...teamLegacy(),
    ...serviceAccountLegacy(iam),
  ];
}

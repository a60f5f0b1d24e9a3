import type { Router } from '../pkg/http/router.js';
import { folderRouter } from './folder/folder/legacy/router.js';
import type { IamServices } from './iam/legacy/services.js';
import { organizationRouter } from './iam/organization/legacy/router.js';
import { serviceAccountRouter } from './iam/serviceaccount/legacy/router.js';
import { teamRouter } from './iam/team/legacy/router.js';
import { userRouter } from './iam/user/legacy/router.js';
import { preferencesRouter } from './preferences/preferences/legacy/router.js';
import type { ShownSettings } from './system/administration.js';
import { systemRouter } from './system/router.js';

/** The routers of the legacy API, one a kind. The paths in their tables are below `/api`. */
export function legacyRouters(services: IamServices, settings: ShownSettings = {}): readonly Router[] {
  return [
    folderRouter(services),
    organizationRouter(services),
    userRouter(services),
    teamRouter(services),
    serviceAccountRouter(services),
    preferencesRouter(services),
    systemRouter(services, settings),
  ];
}

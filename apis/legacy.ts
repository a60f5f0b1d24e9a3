import type { LegacyRouter } from '../registry/legacy/router.js';
import { alertRuleRouter } from './alerting/alertrule/legacy/router.js';
import { annotationRouter } from './annotation/annotation/legacy/router.js';
import { starsRouter } from './collections/stars/legacy/router.js';
import { dashboardRouter } from './dashboard/dashboard/legacy/router.js';
import { libraryElementRouter } from './dashboard/libraryelement/legacy/router.js';
import type { Switch } from './environment.js';
import { folderRouter } from './folder/folder/legacy/router.js';
import type { IamServices } from './iam/legacy/services.js';
import { organizationRouter } from './iam/organization/legacy/router.js';
import { roleRouter } from './iam/role/legacy/router.js';
import { serviceAccountRouter } from './iam/serviceaccount/legacy/router.js';
import { ssoSettingRouter } from './iam/ssosetting/legacy/router.js';
import { teamRouter } from './iam/team/legacy/router.js';
import { userRouter } from './iam/user/legacy/router.js';
import { preferencesRouter } from './preferences/preferences/legacy/router.js';
import { queryHistoryRouter } from './queryhistory/queryhistory/legacy/router.js';
import type { Operation } from './system/administration.js';
import { systemRouter } from './system/router.js';

interface Mount {
  readonly router: (services: IamServices, operation: Operation) => LegacyRouter;
  /** The routes are there only while this feature is on. */
  readonly feature?: Switch;
}

/** The routers of the legacy API, one a kind. The paths in their tables are below `/api`. */
const MOUNTS: readonly Mount[] = [
  { router: folderRouter },
  { router: dashboardRouter },
  { router: libraryElementRouter },
  { router: organizationRouter },
  { router: userRouter },
  { router: teamRouter },
  { router: serviceAccountRouter },
  { router: roleRouter },
  { router: ssoSettingRouter },
  { router: preferencesRouter },
  { router: annotationRouter },
  { router: starsRouter },
  { router: alertRuleRouter, feature: 'alerting' },
  { router: queryHistoryRouter, feature: 'queryHistory' },
  { router: systemRouter },
];

export function legacyRouters(services: IamServices, operation: Operation = {}): readonly LegacyRouter[] {
  const { features } = services.environment;
  const isOn = ({ feature }: Mount): boolean => feature === undefined || features[feature];
  return MOUNTS.filter(isOn).map(({ router }) => router(services, operation));
}

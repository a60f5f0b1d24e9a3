import type { ApisEnvironment } from '../../../environment.js';
import { folderPlace, locatedFolder } from '../../../folder/folder/legacy/place.js';
import { folderOf } from '../../../folder/placement.js';
import { ON_DASHBOARD } from '../../../iam/creator.js';
import { slug } from '../../../iam/legacy/formats.js';
import type { ListedPlace } from '../../../iam/rolebinding/legacy/place.js';
import { BY_DASHBOARD } from '../../../iam/rolebinding/schema.js';
import { type Dashboard, dashboardUrl, titleOf } from './dto.js';
import { FALLBACK, NOT_FOUND } from './errors.js';

/** Permissions on dashboards. Those on the folder of a dashboard, and on the folders above that, are inherited. */
export function dashboardPlace(environment: ApisEnvironment): ListedPlace {
  const folders = folderPlace(environment);
  return {
    kind: 'dashboard/Dashboard',
    plural: 'dashboards',
    path: '/dashboards/uid/:uid/permissions',
    index: BY_DASHBOARD,
    sets: environment.access.dashboards,
    errors: [NOT_FOUND],
    fallback: FALLBACK,
    ...ON_DASHBOARD,
    // Existing clients send only what they add to the permissions of the folder.
    ...(folders.basicRoles && { basicRoles: { ...folders.basicRoles, listsDecideInside: false } }),
    fields: (call, object) => {
      const dashboard = object as Dashboard;
      return {
        uid: dashboard.metadata.name,
        dashboardId: call.objects('dashboard/Dashboard').idOf(dashboard),
        title: titleOf(dashboard),
        slug: slug(titleOf(dashboard)),
        isFolder: false,
        url: dashboardUrl(dashboard),
      };
    },
    updated: () => ({ message: 'Dashboard permissions updated' }),
    above: (source, object) => locatedFolder(source, folders, folderOf(object, environment.domain)),
  };
}

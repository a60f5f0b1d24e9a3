import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import type { AccessEnvironment } from '../../environment.js';
import {
  BASIC_ROLES_KEY,
  basicRolesAnnotation,
  basicRolesColumn,
  withoutBasicRoles,
} from '../../folder/basic-roles.js';
import { PARENT } from '../../folder/folder/schema.js';
import { folderOf, inFolders } from '../../folder/placement.js';
import { searched } from '../../folder/titles.js';
import { GRANT } from '../../iam/creator.js';
import { libraryElementsIn } from './library-panels.js';
import { BY_LIBRARY_ELEMENT, BY_TAG, BY_TITLE, DashboardSpec, type DashboardSummary, TITLE_TAKEN } from './schema.js';
import { dashboardStrategy } from './strategy.js';

export function dashboard(environment: AccessEnvironment): Kind<DashboardSpec> {
  const { domain } = environment;
  const placeOf = (object: KubeObject): string => folderOf(object, domain) ?? '';
  return defineKind<DashboardSpec>(environment, {
    identity: {
      group: 'dashboard',
      version: 'v1beta1',
      kind: 'Dashboard',
      resource: 'dashboards',
      singular: 'dashboard',
      categories: ['all'],
      scope: 'Namespaced',
      description: 'Dashboard shows data in panels.',
      spec: DashboardSpec,
      names: UID_NAMES,
    },
    storage: {
      containment: inFolders(domain),
      indexers: {
        [BY_TITLE]: (object) => [[object.metadata.namespace ?? '', searched(specOf(object).title), placeOf(object)]],
        [BY_TAG]: (object) => (specOf(object).tags ?? []).map((tag) => [object.metadata.namespace ?? '', tag]),
        [BY_LIBRARY_ELEMENT]: ({ metadata, spec }) =>
          libraryElementsIn(spec).map((name) => [metadata.namespace ?? '', name]),
      },
      uniques: { [BY_TITLE]: { field: 'spec.title', message: TITLE_TAKEN } },
      ownKeys: [PARENT, GRANT, BASIC_ROLES_KEY],
      internalId: true,
      history: {},
      trash: true,
      generationCounts: (object) => [folderOf(object, domain)],
    },
    access: {
      permissions: {
        get: ['dashboards:read'],
        create: ['dashboards:create', 'dashboards:write'],
        update: ['dashboards:write'],
        delete: ['dashboards:delete'],
        move: ['dashboards:create'],
        scopes: ({ metadata }) => [`dashboards:uid:${metadata.name}`],
        restriction: {
          restricts: withoutBasicRoles(domain),
          actions: ['dashboards.permissions:write'],
          annotation: basicRolesAnnotation(domain),
        },
      },
    },
    serving: {
      columns: [
        column<DashboardSpec>('Title', 'Title of the dashboard', ({ title }) => title),
        { name: 'Folder', type: 'string', description: 'Folder that it lies in', priority: 0, cell: placeOf },
        column<DashboardSpec>('Tags', 'Words to find it by', ({ tags = [] }) => tags.join(','), 1),
        basicRolesColumn(domain),
      ],
      searchText: (object) => searched(specOf(object).title),
      summary: (object) => summaryOf(specOf(object)),
    },
    strategy: dashboardStrategy(environment),
  });
}

function summaryOf({ title, tags = [] }: DashboardSpec): DashboardSummary {
  return { title, tags };
}

function specOf({ spec }: KubeObject): DashboardSpec {
  return spec as DashboardSpec;
}

import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { plainConventions } from '../../../registry/kinds/plain-conventions.js';
import type { ReportedEvent, ReportedWrite } from '../../../registry/kinds/reports.js';
import type { ApisEnvironment } from '../../environment.js';
import { GRANT } from '../../iam/creator.js';
import { BASIC_ROLES_KEY, basicRolesAnnotation, basicRolesColumn, withoutBasicRoles } from '../basic-roles.js';
import { inFolders } from '../placement.js';
import { searched } from '../titles.js';
import { descriptionOf } from './described.js';
import {
  BY_PARENT,
  BY_TITLE,
  FORCE_DELETE_RULES,
  FolderSpec,
  folderAnnotation,
  PARENT,
  RESERVED_NAMES,
} from './schema.js';
import { folderStrategy } from './strategy.js';

export function folder(environment: ApisEnvironment): Kind<FolderSpec> {
  const parentKey = folderAnnotation(environment.domain);
  const placed = inFolders(environment.domain);
  const parentOf = placed.container;
  return defineKind<FolderSpec>(environment, {
    identity: {
      group: 'folder',
      version: 'v1beta1',
      kind: 'Folder',
      resource: 'folders',
      singular: 'folder',
      categories: ['all'],
      scope: 'Namespaced',
      description: 'Folder holds dashboards, alert rules and other folders.',
      spec: FolderSpec,
      names: {
        maxLength: 40,
        pattern: /^[a-zA-Z0-9_-]+$/,
        patternMessage: 'may hold only letters, digits, "-" and "_"',
        reserved: RESERVED_NAMES,
      },
    },
    storage: {
      containment: placed,
      indexers: {
        [BY_TITLE]: (object) => [[object.metadata.namespace ?? '', searched(titleOf(object))]],
        [BY_PARENT]: (object) => [
          [object.metadata.namespace ?? '', parentOf(object) ?? '', titleOf(object).toLowerCase()],
        ],
      },
      ownKeys: [PARENT, GRANT, BASIC_ROLES_KEY],
      internalId: true,
      history: {},
      trash: true,
      generationCounts: (object) => [parentOf(object)],
    },
    access: {
      permissions: {
        get: ['folders:read'],
        create: ['folders:create', 'folders:write'],
        update: ['folders:write'],
        delete: ['folders:delete'],
        move: ['folders:create'],
        scopes: ({ metadata }) => [`folders:uid:${metadata.name}`],
        restriction: {
          restricts: withoutBasicRoles(environment.domain),
          actions: ['folders.permissions:write'],
          annotation: basicRolesAnnotation(environment.domain),
        },
      },
      reports: { written: deletion, described: descriptionOf(environment) },
    },
    serving: {
      columns: [
        { name: 'Title', type: 'string', description: 'Title of the folder', priority: 0, cell: titleOf },
        {
          name: 'Parent',
          type: 'string',
          description: 'Folder that it lies in',
          priority: 0,
          cell: (object) => parentOf(object) ?? '',
        },
        basicRolesColumn(environment.domain),
      ],
      searchText: (object) => searched(titleOf(object)),
      summary: (object) => ({ title: titleOf(object) }),
      // A bare body that leaves out the parent keeps it, and does not open a private folder. An empty parent moves the
      // folder to the root.
      conventions: plainConventions({ keptAnnotations: [parentKey, basicRolesAnnotation(environment.domain)] }),
      deleteOptions: environment.features.alerting ? { [FORCE_DELETE_RULES]: ForceDeleteRules } : {},
    },
    strategy: folderStrategy(environment),
  });
}

function titleOf(object: KubeObject): string {
  return (object.spec as FolderSpec | undefined)?.title ?? '';
}

const ForceDeleteRules = z
  .enum(['true', 'false'])
  .describe(
    'If true, the alert rules in the folder and below it are deleted, too. Otherwise they keep it from being deleted.',
  );

/** A folder is deleted with its contents, so people are told what is gone. */
function deletion({ verb, object, by, took }: ReportedWrite): ReportedEvent | undefined {
  if (verb !== 'delete') return undefined;
  const counts = [...took].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const message = `${JSON.stringify(titleOf(object))} was deleted by ${by}${counts === '' ? '' : `, with ${counts}`}`;
  return { reason: 'Deleted', type: 'Normal', message };
}

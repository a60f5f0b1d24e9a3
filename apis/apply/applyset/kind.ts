import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { applySubresources } from '../../../registry/applyset/messages.js';
import { APPLY_SET } from '../../../registry/applyset/names.js';
import { ApplySetStatus, statusOf } from '../../../registry/applyset/status.js';
import { type Column, defineKind, groupName, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import type { ReportedEvent, ReportedWrite } from '../../../registry/kinds/reports.js';
import { ApplySetSpec } from './schema.js';

/** Objects that are applied together, all or nothing. */
export function applySet(environment: KindEnvironment): Kind<ApplySetSpec> {
  return defineKind<ApplySetSpec>(environment, {
    identity: {
      group: 'apply',
      version: 'v1beta1',
      kind: APPLY_SET,
      resource: 'applysets',
      singular: 'applyset',
      scope: 'Namespaced',
      description:
        'ApplySet remembers objects that were applied together in one commit, and says whether they still are as they were applied. When it is deleted, its members stay.',
      spec: ApplySetSpec,
      status: ApplySetStatus,
    },
    access: {
      hasOwnStatus: true,
      permissions: {
        get: ['applysets:read'],
        create: ['applysets:create'],
        update: ['applysets:write'],
        delete: ['applysets:delete'],
        scopes: ({ metadata }) => [`applysets:uid:${metadata.name}`],
      },
      reports: { written: drift },
    },
    serving: {
      // kubectl takes only objects of kinds with this label as parents (KEP-3659).
      shownLabels: { 'applyset.kubernetes.io/is-parent-type': 'true' },
      subresources: applySubresources(groupName('apply', environment.domain)),
      columns: COLUMNS,
    },
  });
}

function conditionOf(object: KubeObject, type: 'Synced' | 'Drifted') {
  return statusOf(object)?.conditions.find((condition) => condition.type === type);
}

const COLUMNS: readonly Column[] = [
  {
    name: 'Members',
    type: 'integer',
    description: 'How many members the set has',
    priority: 0,
    cell: (object) => statusOf(object)?.members ?? 0,
  },
  {
    name: 'Synced',
    type: 'string',
    description: 'Whether all members are as they were applied',
    priority: 0,
    cell: (object) => conditionOf(object, 'Synced')?.status ?? 'Unknown',
  },
  {
    name: 'Drifted',
    type: 'integer',
    description: 'How many members are no longer as they were applied',
    priority: 0,
    cell: (object) => statusOf(object)?.drifted ?? 0,
  },
  {
    name: 'Message',
    type: 'string',
    description: 'The members that differ, and their fields',
    priority: 1,
    cell: (object) => conditionOf(object, 'Drifted')?.message ?? '',
  },
];

/** Somebody else has changed or deleted members. */
function drift({ verb, object, by }: ReportedWrite): ReportedEvent | undefined {
  const condition = conditionOf(object, 'Drifted');
  if (verb !== 'update' || condition?.status !== 'True') return undefined;
  return { reason: 'Drifted', type: 'Warning', message: `after a write by ${by}: ${condition.message}` };
}

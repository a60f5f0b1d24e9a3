import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column } from '../../../registry/kinds/fields.js';
import { type Column, defineKind, type Kind } from '../../../registry/kinds/kind.js';
import type { ApisEnvironment } from '../../environment.js';
import { BY_SECRET, MirrorSpec, MirrorStatus } from './schema.js';
import { mirrorStrategy } from './strategy.js';

/** Another server whose state is made that of this one (docs/adr/0065). */
export function mirror(environment: ApisEnvironment): Kind<MirrorSpec> {
  return defineKind<MirrorSpec>(environment, {
    identity: {
      group: 'mirror',
      version: 'v1beta1',
      kind: 'Mirror',
      resource: 'mirrors',
      singular: 'mirror',
      scope: 'Namespaced',
      description:
        'Mirror sends folders and what lies in them to another server that speaks the legacy API, and keeps them there as they are here. When it is deleted, what was sent stays there.',
      spec: MirrorSpec,
      status: MirrorStatus,
    },
    storage: {
      indexers: {
        [BY_SECRET]: ({ metadata, spec }) => [
          [metadata.namespace ?? '', (spec as MirrorSpec | undefined)?.credential.secret ?? ''],
        ],
      },
    },
    access: {
      hasOwnStatus: true,
      permissions: {
        get: ['mirrors:read'],
        create: ['mirrors:create'],
        update: ['mirrors:write'],
        delete: ['mirrors:delete'],
        scopes: ({ metadata }) => [`mirrors:uid:${metadata.name}`],
      },
    },
    serving: { columns: COLUMNS },
    strategy: mirrorStrategy(environment),
  });
}

const statusOf = ({ status }: KubeObject): MirrorStatus | undefined => status as MirrorStatus | undefined;
const conditionOf = (object: KubeObject, type: 'Ready' | 'Drifted') =>
  statusOf(object)?.conditions.find((condition) => condition.type === type);

const COLUMNS: readonly Column[] = [
  column<MirrorSpec>('Address', 'The other server', ({ address }) => address),
  {
    name: 'Ready',
    type: 'string',
    description: 'Whether everything that is selected has arrived',
    priority: 0,
    cell: (object) => conditionOf(object, 'Ready')?.status ?? 'Unknown',
  },
  {
    name: 'Drifted',
    type: 'string',
    description: 'Whether somebody has changed there what was sent',
    priority: 0,
    cell: (object) => conditionOf(object, 'Drifted')?.status ?? '',
  },
  {
    name: 'Pending',
    type: 'integer',
    description: 'How many objects have not arrived',
    priority: 1,
    cell: (object) => statusOf(object)?.pending ?? 0,
  },
  {
    name: 'Message',
    type: 'string',
    description: 'Why it is not ready',
    priority: 1,
    cell: (object) => conditionOf(object, 'Ready')?.message ?? '',
  },
];

import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { builtInConventions } from '../../../registry/kinds/conventions.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import type { ApisEnvironment } from '../../environment.js';
import { bytes, immutable, permissionsOf, texts } from '../values/schema.js';
import { BY_SEALED, isSealed } from './encryption.js';
import { type Secret, secretOutage, secretStrategy } from './strategy.js';
import { STRING_DATA } from './write-only.js';

/** Kubernetes' Secret. Its content is encrypted in the store (docs/adr/0048). */
export function secret(environment: ApisEnvironment): Kind {
  return defineKind(environment, {
    identity: {
      group: '',
      version: 'v1',
      kind: 'Secret',
      resource: 'secrets',
      singular: 'secret',
      scope: 'Namespaced',
      description:
        'Secret holds secrets, such as the releases of Helm. Its data and annotations are encrypted in the store.',
      members: z.strictObject({
        immutable: immutable(),
        type: z.string().max(253).optional().describe('What the secret is for. It cannot be changed.'),
        data: bytes('Bytes in base64 by key.'),
        stringData: texts('Texts by key, which are written into data. It is never read.'),
      }),
    },
    storage: {
      indexers: { [BY_SEALED]: (object) => (isSealed(object, environment.domain) ? [[]] : []) },
      outage: (reader) => secretOutage(reader),
      isConfidential: true,
      writeOnly: STRING_DATA,
    },
    access: { permissions: permissionsOf('secrets') },
    serving: {
      columns: [
        { name: 'Type', type: 'string', description: 'What the secret is for', priority: 0, cell: typeOf },
        { name: 'Data', type: 'integer', description: 'How many keys it has', priority: 0, cell: sizeOf },
      ],
      selectableFields: { type: typeOf },
      acceptsStrategicMerge: true,
      conventions: builtInConventions,
    },
    strategy: secretStrategy(environment),
  });
}

function typeOf(object: KubeObject): string {
  return (object as Secret).type ?? '';
}

function sizeOf(object: KubeObject): number {
  return Object.keys((object as Secret).data ?? {}).length;
}

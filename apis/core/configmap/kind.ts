import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { builtInConventions } from '../../../registry/kinds/conventions.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import { bytesOf, immutableCauses, invalidCause, keyCauses, sizeCauses } from '../values/rules.js';
import { bytes, immutable, normalized, permissionsOf, texts } from '../values/schema.js';

const Members = z.strictObject({
  immutable: immutable(),
  data: texts('Texts by key.'),
  binaryData: bytes('Bytes in base64 by key. A key is not in data, too.'),
});

type ConfigMap = KubeObject & z.infer<typeof Members>;

/** Kubernetes' ConfigMap: settings, and the inventories of tools. It holds no secrets. */
export function configMap(environment: KindEnvironment): Kind {
  return defineKind(environment, {
    identity: {
      group: '',
      version: 'v1',
      kind: 'ConfigMap',
      resource: 'configmaps',
      singular: 'configmap',
      shortNames: ['cm'],
      scope: 'Namespaced',
      description: 'ConfigMap holds texts and bytes that are no secrets, such as the inventory of a tool.',
      members: Members,
    },
    access: {
      // kubectl deletes what a parent of an apply set names. A ConfigMap can be one, so no role below Admin may write
      // it.
      permissions: permissionsOf('configmaps'),
    },
    serving: {
      columns: [{ name: 'Data', type: 'integer', description: 'How many keys it has', priority: 0, cell: sizeOf }],
      acceptsStrategicMerge: true,
      conventions: builtInConventions,
    },
    strategy: STRATEGY,
  });
}

const STRATEGY: Strategy = {
  prepareForCreate: prepared,
  prepareForUpdate: prepared,
  validate: (object, old) => causesOf(object as ConfigMap, old as ConfigMap | undefined),
};

function prepared(object: KubeObject): KubeObject {
  const { binaryData } = object as ConfigMap;
  return binaryData === undefined ? object : ({ ...object, binaryData: normalized(binaryData) } as KubeObject);
}

function causesOf(object: ConfigMap, old: ConfigMap | undefined): readonly StatusCause[] {
  const { data = {}, binaryData = {} } = object;
  const twice = Object.keys(data).filter((key) => Object.hasOwn(binaryData, key));
  return [
    ...keyCauses('data', data),
    ...twice.map((key) =>
      invalidCause(`data[${key}]`, `${JSON.stringify(key)}: duplicate of key present in binaryData`),
    ),
    ...keyCauses('binaryData', binaryData),
    ...sizeCauses('', bytesOf(data, false) + bytesOf(binaryData, true)),
    ...immutableCauses(object, old, ['data', 'binaryData']),
  ];
}

function sizeOf(object: KubeObject): number {
  const { data = {}, binaryData = {} } = object as ConfigMap;
  return Object.keys(data).length + Object.keys(binaryData).length;
}

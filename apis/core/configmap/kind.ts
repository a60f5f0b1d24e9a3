import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { applySetParent, dataMember } from '../applyset-parent.js';

/** A parent of an apply set of kubectl, which it takes with `--applyset=configmaps/NAME`. */
export function configMap(environment: KindEnvironment): Kind {
  return defineKind(environment, {
    ...applySetParent('configmaps', ['data', 'binaryData']),
    kind: 'ConfigMap',
    singular: 'configmap',
    shortNames: ['cm'],
    description: 'ConfigMap can be the parent of an apply set of kubectl. It cannot hold data here.',
    members: z.strictObject({
      data: dataMember('Texts.'),
      binaryData: dataMember('Bytes in base64.'),
    }),
  });
}

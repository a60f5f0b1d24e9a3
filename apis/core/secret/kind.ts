import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { applySetParent, dataMember } from '../applyset-parent.js';

/** The default parent of an apply set of kubectl. It holds no secrets. */
export function secret(environment: KindEnvironment): Kind {
  return defineKind(environment, {
    ...applySetParent('secrets', ['data', 'stringData']),
    kind: 'Secret',
    singular: 'secret',
    description: 'Secret is the default parent of an apply set of kubectl. It cannot hold data here.',
    members: z.strictObject({
      type: z.string().max(253).optional().describe('What the secret is for.'),
      data: dataMember('Secret texts in base64.'),
      stringData: dataMember('Secret texts.'),
    }),
  });
}

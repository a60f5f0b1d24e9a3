import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';

/**
 * No service ever exists. `kubectl cluster-info` lists the services of a cluster, and fails if the list itself is
 * missing.
 */
export function service(environment: KindEnvironment): Kind {
  return defineKind(environment, {
    identity: {
      group: '',
      version: 'v1',
      kind: 'Service',
      resource: 'services',
      singular: 'service',
      shortNames: ['svc'],
      scope: 'Namespaced',
      description: 'Service is here so that clients find the list empty. There are no services.',
      spec: z.strictObject({}).meta({ id: 'ServiceSpec' }),
    },
    access: {
      isReadOnly: true,
      permissions: { get: [], create: [], update: [], delete: [], scopes: () => [] },
    },
  });
}

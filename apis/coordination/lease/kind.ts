import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { builtInConventions } from '../../../registry/kinds/conventions.js';
import { column } from '../../../registry/kinds/fields.js';
import { type Column, defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { LeaseSpec } from './schema.js';

/** Kubernetes' leases, by which the replicas of a controller elect the one that works. */
export function lease(environment: KindEnvironment): Kind<LeaseSpec> {
  return defineKind<LeaseSpec>(environment, {
    identity: {
      group: 'coordination.k8s.io',
      version: 'v1',
      kind: 'Lease',
      resource: 'leases',
      singular: 'lease',
      scope: 'Namespaced',
      description: 'Lease tells which of several processes does a job, and until when.',
      // As in Kubernetes, a lease may be made before anybody holds it.
      spec: LeaseSpec.prefault({}),
    },
    access: {
      // A caller who may change the leases of a controller can stop it, so no role below Admin may.
      permissions: {
        get: ['leases:read'],
        create: ['leases:create'],
        update: ['leases:write'],
        delete: ['leases:delete'],
        scopes: ({ metadata }) => [`leases:uid:${metadata.name}`],
      },
    },
    serving: {
      columns: COLUMNS,
      // kubectl has Lease in its compiled scheme, so it sends strategic merge patches, whatever OpenAPI says.
      acceptsStrategicMerge: true,
      conventions: builtInConventions,
    },
    strategy: { validate: ({ spec = {} }) => holderCauses(spec) },
  });
}

/** As in Kubernetes: only a coordinated election has a next holder. */
function holderCauses({ preferredHolder = '', strategy = '' }: LeaseSpec): readonly StatusCause[] {
  if (preferredHolder === '' || strategy !== '') return [];
  const message = 'Forbidden: may only be specified if `strategy` is defined';
  return [{ reason: 'FieldValueForbidden', message, field: 'spec.preferredHolder' }];
}

const COLUMNS: readonly Column[] = [
  column<LeaseSpec>('Holder', 'Who holds the lease', ({ holderIdentity }) => holderIdentity),
];

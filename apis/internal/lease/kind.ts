import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { LeaseSpec } from './schema.js';

/** Names the server that does a job which only one server should do at a time. */
export function serverLease(environment: KindEnvironment): Kind<LeaseSpec> {
  return defineKind<LeaseSpec>(environment, {
    identity: {
      group: 'internal',
      version: 'v1beta1',
      kind: 'ServerLease',
      resource: 'leases',
      singular: 'lease',
      scope: 'Cluster',
      description: 'ServerLease names the server that does a job.',
      spec: LeaseSpec,
      names: UID_NAMES,
    },
    serving: { served: false },
  });
}

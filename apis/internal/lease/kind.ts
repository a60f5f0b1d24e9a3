import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { UID_NAMES } from '../../iam/names.js';

export const LeaseSpec = z
  .strictObject({
    /** The server that holds it; empty once it was given back. */
    holder: z.string().max(100),
    /** Counts its renewals: a number that stands still is a holder that is gone, whatever the clocks say. */
    renewals: z.int().min(0),
  })
  .meta({ id: 'LeaseSpec' });
export type LeaseSpec = z.infer<typeof LeaseSpec>;

/** Which server does what only one should do at a time. */
export function lease(environment: KindEnvironment): Kind<LeaseSpec> {
  return defineKind<LeaseSpec>(environment, {
    group: 'internal',
    version: 'v1beta1',
    kind: 'Lease',
    resource: 'leases',
    singular: 'lease',
    scope: 'Cluster',
    description: 'Lease names the server that does a job.',
    spec: LeaseSpec,
    names: UID_NAMES,
    served: false,
  });
}

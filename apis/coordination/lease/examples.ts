import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import type { PermissionExamples } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: {} },
  full: {
    metadata: { labels: { app: 'controller' } },
    spec: {
      holderIdentity: 'pod-1_7c5a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-31T12:00:00.123456Z',
      renewTime: '2026-01-31T12:00:02.000000Z',
      leaseTransitions: 3,
      strategy: 'OldestEmulationVersion',
      preferredHolder: 'pod-2',
    },
  },
  changed: { spec: { holderIdentity: 'pod-2', leaseDurationSeconds: 10, renewTime: '2026-01-31T12:00:04.000000Z' } },
  invalid: [
    { why: 'a duration of 0', body: { spec: { leaseDurationSeconds: 0 } }, field: 'spec.leaseDurationSeconds' },
    { why: 'less than no transitions', body: { spec: { leaseTransitions: -1 } }, field: 'spec.leaseTransitions' },
    {
      why: 'a next holder without an election',
      body: { spec: { preferredHolder: 'b' } },
      field: 'spec.preferredHolder',
    },
    { why: 'a time that is none', body: { spec: { renewTime: 'yesterday' } }, field: 'spec.renewTime' },
    {
      why: 'a holder of a megabyte',
      body: { spec: { holderIdentity: 'x'.repeat(2 ** 20) } },
      field: 'spec.holderIdentity',
    },
  ],
  fixed: ['acquireTime', 'renewTime'],
  freeText: ['/spec/holderIdentity'],
  freeJson: [],
  columnSample: { holderIdentity: `${LONG.name}_6ad7a3a4-4a5e-4a0c-9c0e-000000000000` },
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Leases: for administrators
Lease get                                  401  403    403    yes   yes  403  yes  403    403  403
Lease list                                 401  403    403    yes   yes  403  yes  403    403  403
Lease watch                                401  403    403    yes   yes  403  yes  403    403  403
Lease create                               401  403    403    yes   yes  403  yes  403    403  403
Lease update                               401  403    403    yes   yes  403  yes  403    403  403
Lease patch                                401  403    403    yes   yes  403  yes  403    403  403
Lease delete                               401  403    403    yes   yes  403  yes  403    403  403
Lease deletecollection                     401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    Lease: {
      draft: async ({ cast }) => ({ name: cast.fresh('lease'), spec: { holderIdentity: 'one' } }),
      change: ({ cast }) => ({ holderIdentity: cast.fresh('holder') }),
    },
  },
};

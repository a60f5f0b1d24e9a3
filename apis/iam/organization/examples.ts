import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { type PermissionExamples, titled } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: '{name}' } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: { title: '{name}', address: { address1: 'Street 1', city: 'Bonn', zipCode: '53111', country: 'Germany' } },
  },
  changed: { spec: { title: '{name} changed' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'an address of another type', body: { spec: { title: 'x', address: 'here' } }, field: 'spec.address' },
  ],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title },
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Organizations: members view them, their administrators change them, administrators of the server create and delete them
Organization get                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
Organization list                          401  yes    yes    yes   yes  yes  yes  yes    yes  none
Organization watch                         401  yes    yes    yes   yes  yes  yes  yes    yes  none
Organization create                        401  403    403    403   yes  403  403  403    403  403
Organization update                        401  403    403    yes   yes  403  yes  403    403  403
Organization patch                         401  403    403    yes   yes  403  yes  403    403  403
Organization delete                        401  403    403    403   yes  403  403  403    403  403
Organization deletecollection              401  none   none   none  yes  none none none   none none
`,
  objects: {
    // Deletions use a new organization. All other verbs use the organization of the callers.
    Organization: {
      ...titled('org'),
      existing: async ({ verb }) => (verb.startsWith('delete') ? undefined : 'default'),
      change: ({ cast: { fresh } }) => ({ address: { city: fresh('City') } }),
    },
  },
};

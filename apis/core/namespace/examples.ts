import type { KindExamples } from '../../testing/kind-examples.js';
import type { ExampleObject, PermissionExamples } from '../../testing/permission-examples.js';

const spec = { finalizers: ['kubernetes'] };

export const examples: KindExamples = {
  minimal: { spec: {} },
  full: { metadata: { labels: { team: 'ops' }, annotations: { 'example.com/a': 'b' } }, spec },
  changed: { spec },
  invalid: [
    {
      why: 'a finalizer that only a cluster has',
      body: { spec: { finalizers: ['example.com/x'] } },
      field: 'spec.finalizers',
    },
    { why: 'finalizers of another type', body: { spec: { finalizers: 'kubernetes' } }, field: 'spec.finalizers' },
  ],
  freeText: [],
  freeJson: [],
  hasFixedSpec: true,
};

/** The same organizations as namespaces, which have no spec of their own. Only deletions use a new one. */
const organization: ExampleObject = {
  draft: async ({ cast: { fresh } }) => ({ name: fresh('ns'), spec: {} }),
  existing: async ({ verb }) => (verb.startsWith('delete') ? undefined : 'default'),
  change: () => ({}),
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Namespaces: as the organizations that they are
Namespace get                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
Namespace list                             401  yes    yes    yes   yes  yes  yes  yes    yes  none
Namespace watch                            401  yes    yes    yes   yes  yes  yes  yes    yes  none
Namespace create                           401  403    403    403   yes  403  403  403    403  403
Namespace update                           401  403    403    yes   yes  403  yes  403    403  403
Namespace patch                            401  403    403    yes   yes  403  yes  403    403  403
Namespace delete                           401  403    403    403   yes  403  403  403    403  403
Namespace/status get                       401  yes    yes    yes   yes  yes  yes  yes    yes  403
`,
  objects: {
    Namespace: organization,
    'Namespace/status': organization,
  },
};

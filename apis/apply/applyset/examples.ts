import type { KindExamples } from '../../testing/kind-examples.js';
import type { ExampleObject, PermissionExamples } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: {} },
  full: { spec: { description: 'The folders of a team' } },
  changed: { spec: { description: 'Changed' } },
  invalid: [
    { why: 'a description of two lines', body: { spec: { description: 'a\nb' } }, field: 'spec.description' },
    {
      why: 'a description that is too long',
      body: { spec: { description: 'x'.repeat(1001) } },
      field: 'spec.description',
    },
  ],
  freeText: [],
  freeJson: [],
  columnSample: {},
};

const set: ExampleObject = {
  draft: async ({ cast: { fresh } }) => ({ name: fresh('set'), spec: {} }),
  change: ({ cast: { fresh } }) => ({ description: fresh('description') }),
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Apply sets name objects that not everybody may view: for administrators
ApplySet get                               401  403    403    yes   yes  403  yes  403    403  403
ApplySet list                              401  403    403    yes   yes  403  yes  403    403  403
ApplySet watch                             401  403    403    yes   yes  403  yes  403    403  403
ApplySet create                            401  403    403    yes   yes  403  yes  403    403  403
ApplySet update                            401  403    403    yes   yes  403  yes  403    403  403
ApplySet patch                             401  403    403    yes   yes  403  yes  403    403  403
ApplySet delete                            401  403    403    yes   yes  403  yes  403    403  403
ApplySet deletecollection                  401  403    403    yes   yes  403  yes  403    403  403
ApplySet/status get                        401  403    403    yes   yes  403  yes  403    403  403
ApplySet/members get                       401  403    403    yes   yes  403  yes  403    403  403
ApplySet/apply create                      401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    ApplySet: set,
    'ApplySet/status': set,
    'ApplySet/members': set,
    'ApplySet/apply': { draft: set.draft, change: () => ({ spec: { objects: [] } }) },
  },
};

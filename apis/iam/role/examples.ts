import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import type { PermissionExamples } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { permissions: [] } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      title: 'Readers',
      description: 'Reads folders.',
      permissions: [{ action: 'folders:read', scope: 'folders:*' }],
    },
  },
  changed: { spec: { permissions: [{ action: 'folders:read', scope: 'folders:uid:ops' }] } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'permissions of another type', body: { spec: { permissions: {} } }, field: 'spec.permissions' },
    {
      why: 'an invalid action',
      body: { spec: { permissions: [{ action: 'everything' }] } },
      field: 'spec.permissions[0].action',
    },
  ],
  fixed: ['permissions'],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title },
};

const allowing = (action: string): object => ({ permissions: [{ action, scope: 'folders:*' }] });

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Roles: for administrators of the organization
Role get                                   401  403    403    yes   yes  403  yes  403    403  403
Role list                                  401  403    403    yes   yes  403  yes  403    403  403
Role watch                                 401  403    403    yes   yes  403  yes  403    403  403
Role create                                401  403    403    yes   yes  403  yes  403    403  403
Role update                                401  403    403    yes   yes  403  yes  403    403  403
Role patch                                 401  403    403    yes   yes  403  yes  403    403  403
Role delete                                401  403    403    yes   yes  403  yes  403    403  403
Role deletecollection                      401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    Role: {
      draft: async ({ cast }) => ({ name: cast.fresh('role'), spec: allowing('folders:read') }),
      change: () => allowing('folders:*'),
    },
  },
};

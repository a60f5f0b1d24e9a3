import { type KindExamples, LONG } from '../../testing/kind-examples.js';

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

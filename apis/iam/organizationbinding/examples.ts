import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { many, userNeeded } from '../../testing/needs.js';

export const examples: KindExamples = {
  minimal: { spec: { userRef: { name: '{name}' }, role: 'Viewer' } },
  full: { metadata: { labels: { team: 'ops' } }, spec: { userRef: { name: '{name}' }, role: 'Viewer' } },
  changed: { spec: { userRef: { name: '{name}' }, role: 'Editor' } },
  waiting: {
    body: { spec: { userRef: { name: 'unborn' }, role: 'Viewer' } },
    field: 'spec.userRef.name',
    name: 'unborn',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an unknown role', body: { spec: { userRef: { name: '{name}' }, role: 'King' } }, field: 'spec.role' },
    {
      why: 'a user that differs from its name',
      body: { spec: { userRef: { name: 'other' }, role: 'Viewer' } },
      field: 'spec.userRef.name',
    },
  ],
  fixed: ['userRef', 'role'],
  needs: many((number) => userNeeded(`member-${number}`)),
  nameOf: (number) => `member-${number}`,
  freeText: [],
  freeJson: [],
  columnSample: { userRef: { name: LONG.name }, role: 'Viewer' },
};

import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { many, teamNeeded, userNeeded } from '../../testing/needs.js';

export const examples: KindExamples = {
  minimal: { spec: { teamRef: { name: '{name}' }, userRef: { name: 'ada' } } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: { teamRef: { name: '{name}' }, userRef: { name: 'ada' }, permission: 'member', external: true },
  },
  changed: { spec: { teamRef: { name: '{name}' }, userRef: { name: 'ada' }, permission: 'admin' } },
  waiting: {
    body: { spec: { teamRef: { name: 'none' }, userRef: { name: '{name}' } } },
    field: 'spec.teamRef.name',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no user', body: { spec: { teamRef: { name: '{name}' } } }, field: 'spec.userRef' },
    {
      why: 'an unknown permission',
      body: { spec: { teamRef: { name: '{name}' }, userRef: { name: 'ada' }, permission: 'king' } },
      field: 'spec.permission',
    },
  ],
  fixed: ['teamRef', 'userRef'],
  needs: [
    userNeeded('ada'),
    {
      path: '/apis/iam.svc.app/v1beta1/namespaces/default/organizationbindings',
      body: {
        apiVersion: 'iam.svc.app/v1beta1',
        kind: 'OrganizationBinding',
        metadata: { name: 'ada' },
        spec: { userRef: { name: 'ada' }, role: 'Viewer' },
      },
    },
    ...many((number) => teamNeeded(`bound-${number}`)),
  ],
  nameOf: (number) => `bound-${number}`,
  freeText: [],
  freeJson: [],
  columnSample: { userRef: { name: LONG.name }, teamRef: { name: LONG.name }, permission: 'member' },
};

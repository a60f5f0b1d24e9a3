import { type KindExamples, LONG } from '../../testing/kind-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { subject: { kind: 'BasicRole', name: 'Viewer' }, roleRef: { kind: 'BuiltIn', name: 'Viewer' } } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      subject: { kind: 'BasicRole', name: 'Viewer' },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder: 'bound' },
    },
  },
  changed: { spec: { subject: { kind: 'BasicRole', name: 'Editor' }, roleRef: { kind: 'BuiltIn', name: 'Admin' } } },
  waiting: {
    body: { spec: { subject: { kind: 'Team', name: 'none' }, roleRef: { kind: 'BuiltIn', name: 'Viewer' } } },
    field: 'spec.subject.name',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no subject', body: { spec: { roleRef: { kind: 'BuiltIn', name: 'Viewer' } } }, field: 'spec.subject' },
    {
      why: 'an unknown basic role',
      body: { spec: { subject: { kind: 'BasicRole', name: 'King' }, roleRef: { kind: 'BuiltIn', name: 'Viewer' } } },
      field: 'spec.subject.name',
    },
  ],
  fixed: ['subject', 'roleRef', 'scope'],
  needs: [
    {
      path: '/apis/folder.svc.app/v1beta1/namespaces/default/folders',
      body: { metadata: { name: 'bound' }, spec: { title: 'Bound' } },
    },
  ],
  freeText: [],
  freeJson: [],
  columnSample: {
    subject: { kind: 'Team', name: LONG.name },
    roleRef: { kind: 'BuiltIn', name: 'Edit' },
    scope: { folder: LONG.name },
  },
};

import { type KindExamples, LONG } from '../../testing/kind-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { login: '{name}', email: '{name}@example.com' } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      login: '{name}',
      email: '{name}@example.com',
      name: 'Ada',
      disabled: false,
      provisioned: true,
      emailVerified: true,
    },
  },
  changed: { spec: { login: '{name}', email: '{name}@example.com', name: 'Grace' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'neither login nor e-mail address', body: { spec: {} }, field: 'spec.login' },
    { why: 'a login of another type', body: { spec: { login: 5 } }, field: 'spec.login' },
    { why: 'a login that is reserved for the server', body: { spec: { login: 'system:x' } }, field: 'spec.login' },
    { why: 'disabled as text', body: { spec: { login: '{name}', disabled: 'no' } }, field: 'spec.disabled' },
  ],
  fixed: ['login', 'email', 'grafanaAdmin', 'activeOrganization'],
  kept: ['emailVerified'],
  freeText: [],
  freeJson: [],
  columnSample: { login: 'ada.lovelace', email: LONG.email, disabled: false, grafanaAdmin: false },
};

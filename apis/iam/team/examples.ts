import { type KindExamples, LONG } from '../../testing/kind-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: '{name}' } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: { title: '{name}', email: 'ops@example.com', externalUID: 'cn=ops', provisioned: true },
  },
  changed: { spec: { title: '{name} changed' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: ' ' } }, field: 'spec.title' },
    { why: 'a title with a control character', body: { spec: { title: 'a\u0007b' } }, field: 'spec.title' },
    { why: 'an e-mail address of another type', body: { spec: { title: 'x', email: 1 } }, field: 'spec.email' },
  ],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title, email: LONG.email },
};

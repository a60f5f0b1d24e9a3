import { type KindExamples, LONG } from '../../testing/kind-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: '{name}' } },
  full: { metadata: { labels: { team: 'ops' } }, spec: { title: '{name}', role: 'Editor', disabled: true } },
  changed: { spec: { title: '{name}', role: 'Viewer' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'an unknown role', body: { spec: { title: 'x', role: 'Emperor' } }, field: 'spec.role' },
    { why: 'disabled as text', body: { spec: { title: 'x', disabled: 'no' } }, field: 'spec.disabled' },
  ],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title, role: 'Viewer', disabled: false },
};

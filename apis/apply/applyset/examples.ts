import type { KindExamples } from '../../testing/kind-examples.js';

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

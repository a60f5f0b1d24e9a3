import type { KindExamples } from '../../testing/kind-examples.js';

const spec = { finalizers: ['kubernetes'] };

export const examples: KindExamples = {
  minimal: { spec: {} },
  full: { metadata: { labels: { team: 'ops' }, annotations: { 'example.com/a': 'b' } }, spec },
  changed: { spec },
  invalid: [
    {
      why: 'a finalizer that only a cluster has',
      body: { spec: { finalizers: ['example.com/x'] } },
      field: 'spec.finalizers',
    },
    { why: 'finalizers of another type', body: { spec: { finalizers: 'kubernetes' } }, field: 'spec.finalizers' },
  ],
  freeText: [],
  freeJson: [],
  hasFixedSpec: true,
};

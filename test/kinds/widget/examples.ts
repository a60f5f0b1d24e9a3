import type { KindExamples } from '../../../apis/testing/kind-examples.js';

export const widgetExamples: KindExamples = {
  minimal: { spec: { title: 'Lever' } },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'kept' } },
    spec: { title: 'Lever', size: 3, note: 'Long.' },
  },
  changed: { spec: { title: 'Lever', size: 4 } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'a negative size', body: { spec: { title: 'x', size: -1 } }, field: 'spec.size' },
  ],
  freeText: ['/spec/note'],
  freeJson: [],
  status: {
    minimal: { phase: 'Ready' },
    changed: { phase: 'Broken', observedGeneration: 1 },
    invalid: [
      { why: 'an unknown phase', status: { phase: 'Odd' }, field: 'status.phase' },
      { why: 'no phase', status: { observedGeneration: 1 }, field: 'status.phase' },
      { why: 'a status of another type', status: 'Ready', field: 'status' },
    ],
  },
};

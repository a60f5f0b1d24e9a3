import { type KindExamples, LONG } from '../../testing/kind-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: '{name}' } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: { title: '{name}', address: { address1: 'Street 1', city: 'Bonn', zipCode: '53111', country: 'Germany' } },
  },
  changed: { spec: { title: '{name} changed' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'an address of another type', body: { spec: { title: 'x', address: 'here' } }, field: 'spec.address' },
  ],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title },
};

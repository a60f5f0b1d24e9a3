import { type KindExamples, LONG, PLAIN_ANSWERS } from '../../testing/kind-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: 'Operations' } },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'text' } },
    spec: { title: 'Operations', description: 'What the operators look at.' },
  },
  changed: { spec: { title: 'Operations and support' } },
  waiting: {
    body: { metadata: { annotations: { 'svc.app/folder': 'nowhere' } }, spec: { title: 'Operations' } },
    field: 'metadata.annotations[svc.app/folder]',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no title', body: { spec: {} }, field: 'spec.title' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'a title of blanks', body: { spec: { title: ' \t ' } }, field: 'spec.title' },
    { why: 'a title of another type', body: { spec: { title: 7 } }, field: 'spec.title' },
    { why: 'a title too long', body: { spec: { title: 'x'.repeat(5001) } }, field: 'spec.title' },
    {
      why: 'a description of another type',
      body: { spec: { title: 'x', description: [] } },
      field: 'spec.description',
    },
  ],
  freeText: ['/spec/description'],
  freeJson: [],
  answers: PLAIN_ANSWERS,
  columnSample: { title: LONG.title },
};

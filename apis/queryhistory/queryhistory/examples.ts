import { type KindExamples, LONG } from '../../testing/kind-examples.js';

const query = { refId: 'A', key: 'Q-1', datasource: { type: 'prometheus', uid: 'prom' }, expr: 'up' };

export const examples: KindExamples = {
  minimal: { spec: { datasourceUid: 'prom', queries: [query] } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: { datasourceUid: 'prom', queries: [query], comment: 'Which are up?', starred: true },
  },
  changed: { spec: { datasourceUid: 'prom', queries: [query], comment: 'Changed' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no data source', body: { spec: { queries: [] } }, field: 'spec.datasourceUid' },
    { why: 'no queries', body: { spec: { datasourceUid: 'prom' } }, field: 'spec.queries' },
    {
      why: 'a query that is no object',
      body: { spec: { datasourceUid: 'prom', queries: ['up'] } },
      field: 'spec.queries[0]',
    },
    {
      why: 'a star of another type',
      body: { spec: { datasourceUid: 'prom', queries: [], starred: 'yes' } },
      field: 'spec.starred',
    },
  ],
  freeText: ['/spec/comment'],
  freeJson: ['/spec/queries/0/expr'],
  columnSample: { datasourceUid: LONG.name, starred: false, comment: LONG.title, queries: [] },
};

import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import type { Context, ExampleObject, PermissionExamples } from '../../testing/permission-examples.js';

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

const queries: ExampleObject = {
  draft: async ({ cast }) => ({ name: cast.fresh('queries'), spec: { datasourceUid: 'prom', queries: [] } }),
  change: () => ({ comment: 'Changed' }),
};

/** An item of the caller. If the caller may not make one, it is of somebody else. */
async function ownQueries({ cast, caller }: Context): Promise<string | undefined> {
  const apiVersion = 'queryhistory.svc.app/v1beta1';
  const spec = { datasourceUid: 'prom', queries: [] };
  const body = { apiVersion, kind: 'QueryHistory', metadata: { generateName: 'own-' }, spec };
  const path = `/apis/${apiVersion}/namespaces/default/queryhistories`;
  const answer = await cast.call(caller, 'POST', path, { body });
  return answer.status === 201 ? answer.json().metadata.name : undefined;
}

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Query history: everybody sees only their own, and all members may add to it
QueryHistory get                           401  403    403    403   yes  403  403  403    403  403
QueryHistory list                          401  none   none   none  yes  none none none   none none
QueryHistory watch                         401  none   none   none  yes  none none none   none none
QueryHistory create                        401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory update                        401  403    403    403   yes  403  403  403    403  403
QueryHistory patch                         401  403    403    403   yes  403  403  403    403  403
QueryHistory delete                        401  403    403    403   yes  403  403  403    403  403
QueryHistory deletecollection              401  none   none   none  yes  none none none   none none
QueryHistory(own) get                      401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) list                     401  yes    yes    yes   yes  none none yes    yes  none
QueryHistory(own) watch                    401  yes    yes    yes   yes  none none yes    yes  none
QueryHistory(own) update                   401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) patch                    401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) delete                   401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) deletecollection         401  yes    yes    yes   yes  none none yes    yes  none
`,
  seenBy: 'owner',
  objects: {
    QueryHistory: queries,
    'QueryHistory(own)': { ...queries, existing: ownQueries },
  },
};

import type { LegacyContext, LegacyExamples, LegacyTry } from '../../../testing/legacy-examples.js';

const QUERIES = { datasourceUid: 'prom', queries: [{ refId: 'A' }] };

/** An item of the query history of the caller. `none` if the caller cannot have one. */
async function historyItem(
  { cast, caller }: LegacyContext,
  prefix = '',
  isStarred = false,
): Promise<Partial<LegacyTry>> {
  const made = await cast.call(caller, 'POST', '/api/query-history', { body: QUERIES });
  const { result } = made.json() as unknown as { readonly result: { readonly uid: string } };
  const uid = made.status === 200 ? result.uid : 'none';
  const path = `/query-history${prefix}/${uid}`;
  if (isStarred) await cast.call(caller, 'POST', `/api${path}`);
  return { path };
}

// Promise: specification 4.9
export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Query history: everybody has their own
POST   /query-history                                 401  yes    yes    yes   yes  403  403  yes    yes  403
GET    /query-history                                 401  yes    yes    yes   yes  403  403  yes    yes  403
PATCH  /query-history/:uid                            401  yes    yes    yes   yes  403  403  yes    yes  404
DELETE /query-history/:uid                            401  yes    yes    yes   yes  403  403  yes    yes  404
POST   /query-history/star/:uid                       401  yes    yes    yes   yes  403  403  yes    yes  404
DELETE /query-history/star/:uid                       401  yes    yes    yes   yes  403  403  yes    yes  404
`,
  requests: {
    'POST /query-history': async () => ({ body: QUERIES }),
    'PATCH /query-history/:uid': async (context) => ({ ...(await historyItem(context)), body: { comment: 'Changed' } }),
    'DELETE /query-history/:uid': (context) => historyItem(context),
    'POST /query-history/star/:uid': (context) => historyItem(context, '/star'),
    'DELETE /query-history/star/:uid': (context) => historyItem(context, '/star', true),
  },
};

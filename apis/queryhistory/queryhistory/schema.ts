import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { line } from '../../../registry/kinds/fields.js';

const Query = z
  .looseObject({})
  .meta({ id: 'HistoricQuery', description: 'A query as its data source knows it, with refId, key and datasource.' });

/** Characters of the queries of an item in JSON, and items of an owner in an organization. */
export const MOST_QUERY_CHARACTERS = 64 * 1024;
export const MOST_ITEMS = 10_000;

export const QueryHistorySpec = z
  .strictObject({
    datasourceUid: line(200).min(1, 'must not be empty').describe('Data source that was asked.'),
    queries: arrayOf(Query, 100).describe('The queries that were sent.'),
    comment: z.string().max(10_000).default('').describe('What its owner says about it.').meta({ default: '' }),
    starred: z.boolean().default(false).describe('Starred items are kept.').meta({ default: false }),
  })
  .meta({ id: 'QueryHistorySpec', description: 'Queries that somebody sent together.' });
export type QueryHistorySpec = z.infer<typeof QueryHistorySpec>;

/**
 * Items by owner, starred items by owner, and items by owner and data source, each by time: `[namespace, owner, (data
 * source,) seconds]`.
 */
export const BY_OWNER = 'byOwner';
export const BY_STAR = 'byStar';
export const BY_DATASOURCE = 'byDatasource';

/**
 * The annotation, without the domain, with the metadata.uid of the owner's membership in the organization. Only the
 * server sets it.
 */
export const MEMBERSHIP = 'membership';

/** The data sources that the item involves: its own and those of its queries. */
export function datasourcesOf({ datasourceUid, queries }: QueryHistorySpec): ReadonlySet<string> {
  const uids = queries.map(({ datasource }) => (datasource as { readonly uid?: unknown } | null | undefined)?.uid);
  return new Set([datasourceUid, ...uids.filter((uid): uid is string => typeof uid === 'string' && uid !== '')]);
}

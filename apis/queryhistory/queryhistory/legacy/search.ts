import { isTerminating, type KubeObject } from '../../../../pkg/kube/meta/types.js';
import { yielding } from '../../../../pkg/system/yielding/yielding.js';
import type { IndexRange, ObjectReader } from '../../../../registry/client/object-reader.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { BY_DATASOURCE, BY_OWNER, BY_STAR, datasourcesOf, type QueryHistorySpec } from '../schema.js';
import type { HistoryQuery } from './query.js';

export type Item = KubeObject<QueryHistorySpec>;

/** The most items that one search reads. Older ones are neither found nor counted. */
const MOST_READ = 10_000;
/** The most characters of JSON of the queries of a page. */
const MOST_CHARACTERS = 16 * 2 ** 20;

export interface FoundItems {
  readonly totalCount: number;
  readonly items: readonly Item[];
}

/** A page of the items of an owner (`user:<uid>`), and the number of all that match. */
export async function searchItems(
  objects: ObjectReader<QueryHistorySpec>,
  owner: string,
  query: HistoryQuery,
): Promise<FoundItems> {
  const range = rangeOf(objects.namespace, owner, query);
  const known = isWhole(query) ? objects.countOf(range.index, range.prefix) : undefined;
  const before = (query.page - 1) * query.limit;
  const items: Item[] = [];
  let [matching, read, characters] = [0, 0, 0];
  for await (const item of yielding(objects.range(range))) {
    if (matches(item, query) && ++matching > before && items.length < query.limit) {
      items.push(item);
      characters += JSON.stringify(item.spec?.queries).length;
      if (characters > MOST_CHARACTERS) throw plainFailure(400, 'The page is too large: ask for fewer items (limit)');
    }
    const isFull = known !== undefined && items.length === query.limit;
    // Checked here, because the loop would read on for the next item.
    if (isFull || ++read >= MOST_READ) break;
  }
  return { totalCount: known ?? matching, items };
}

/** The index that leaves the fewest items to read. */
function rangeOf(namespace: string, owner: string, query: HistoryQuery): IndexRange {
  const { onlyStarred, datasources, from, to, oldestFirst } = query;
  const [datasource] = datasources;
  const times = { ...(from !== undefined && { from: [from] }), ...(to !== undefined && { to: [to + 1] }) };
  const order = { ...times, reverse: !oldestFirst };
  if (onlyStarred) return { index: BY_STAR, prefix: [namespace, owner], ...order };
  if (datasource === undefined) return { index: BY_OWNER, prefix: [namespace, owner], ...order };
  return { index: BY_DATASOURCE, prefix: [namespace, owner, datasource], ...order };
}

/** Whether the query asks for everything below the prefix of its range, so that the items need only be counted. */
function isWhole({ onlyStarred, datasources, text, from, to }: HistoryQuery): boolean {
  const isNarrowed = text !== '' || from !== undefined || to !== undefined;
  return !isNarrowed && datasources.length <= (onlyStarred ? 0 : 1);
}

function matches(item: Item, { datasources, text, onlyStarred }: HistoryQuery): boolean {
  const { spec } = item;
  if (spec === undefined || isTerminating(item) || (onlyStarred && !spec.starred)) return false;
  return involves(spec, datasources) && contains(spec, text);
}

function involves(spec: QueryHistorySpec, datasources: readonly string[]): boolean {
  if (datasources.length === 0) return true;
  const involved = datasourcesOf(spec);
  return datasources.every((uid) => involved.has(uid));
}

/** Searches the comment, and the texts of the queries. */
function contains({ queries, comment }: QueryHistorySpec, text: string): boolean {
  return text === '' || comment.toLowerCase().includes(text) || queries.some((query) => isIn(query, text));
}

/** The members that say how a client keeps a query, and not what it asks. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['refId', 'key', 'datasource', 'datasourceId']);

/** Whether a text in the query has the text. Names of members are not searched, nor are the escapes of JSON. */
function isIn(query: Readonly<Record<string, unknown>>, text: string): boolean {
  const waiting: unknown[] = Object.entries(query).flatMap(([name, value]) => (OF_CLIENTS.has(name) ? [] : [value]));
  for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
    if (typeof value === 'string' && value.toLowerCase().includes(text)) return true;
    if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value));
  }
  return false;
}

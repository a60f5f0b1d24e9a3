import { timeOf } from '../../../../pkg/system/time/relative.js';
import { flag, positive } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';

/** What `GET /api/query-history` asks for. */
export interface HistoryQuery {
  /** The item must involve each of these data sources. */
  readonly datasources: readonly string[];
  /** In lower case. Empty: all items. */
  readonly text: string;
  readonly onlyStarred: boolean;
  readonly oldestFirst: boolean;
  /** Seconds since the epoch, both inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly page: number;
  readonly limit: number;
}

export const LIMIT = 100;
export const SORTS: readonly string[] = ['time-asc', 'time-desc'];
const MOST = 1000;
const MOST_DATASOURCES = 100;

/** Throws 400 for a value that would otherwise be ignored in silence. */
export function queryOf(call: LegacyCall): HistoryQuery {
  const { query } = call;
  const datasources = [...new Set(query.getAll('datasourceUid').filter(Boolean))];
  if (datasources.length > MOST_DATASOURCES) throw plainFailure(400, `at most ${MOST_DATASOURCES} datasourceUid`);
  const [from, to] = [boundOf(call, 'from'), boundOf(call, 'to')];
  if (from !== undefined && to !== undefined && from > to) throw plainFailure(400, 'from must not be later than to');
  return {
    datasources,
    text: (query.get('searchString') ?? '').toLowerCase(),
    onlyStarred: flag(query, 'onlyStarred'),
    oldestFirst: sortOf(query) === 'time-asc',
    from: from && Math.ceil(from / 1000),
    to: to && Math.floor(to / 1000),
    page: positive(query, 'page', 1),
    limit: call.limit('limit', LIMIT, MOST),
  };
}

function sortOf(query: URLSearchParams): string {
  const sort = query.get('sort') || 'time-desc';
  if (SORTS.includes(sort)) return sort;
  throw plainFailure(400, 'sort must be time-asc or time-desc');
}

/** Milliseconds. 0, negative and absent values are no bound. */
function boundOf(call: LegacyCall, name: 'from' | 'to'): number | undefined {
  const text = call.query.get(name) ?? '';
  if (text === '') return undefined;
  const time = timeOf(text, call.now(), name === 'to');
  if (time === undefined)
    throw plainFailure(400, `${name} must be milliseconds since the epoch, or relative such as now-5m or now/d`);
  return time > 0 ? time : undefined;
}

import { flag, oneOf } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { type Tag, tagOf } from '../tags.js';
import { dashboardWithId, warnOfNumber } from './lookup.js';

/** What `GET /api/annotations` asks for. Filters that are absent do not restrict. */
export interface Query {
  /** The annotations that overlap this range of time, including its ends. */
  readonly range?: { readonly from: number; readonly to: number };
  readonly dashboard?: string;
  readonly panel?: number;
  /** Values of `createdBy`. */
  readonly author?: string;
  readonly alert?: number;
  readonly type?: 'alert' | 'annotation';
  readonly tags: readonly Tag[];
  /** One of the tags is enough. */
  readonly matchAny: boolean;
  readonly limit: number;
}

export const LIMIT = 100;
export const TYPES = ['alert', 'annotation'] as const;
/** The most annotations of an answer. */
export const MOST = 10_000;
const MOST_TAGS = 20;

/**
 * The query of a request. `undefined` if it names a dashboard, a user or an alert rule that does not exist, so that
 * nothing can be found. Throws 400.
 */
export function queryOf(call: LegacyCall): Query | undefined {
  const { query } = call;
  const panel = number(query, 'panelId');
  const alert = alertOf(call);
  const range = rangeOf(query);
  const dashboard = dashboardOf(call);
  const author = authorOf(call);
  const tags = tagsOf(query);
  const type = oneOf(query, 'type', TYPES);
  if (dashboard === null || author === null || alert === null) return undefined;
  return {
    ...(range && { range }),
    ...(dashboard !== undefined && { dashboard }),
    ...(panel > 0 && { panel }),
    ...(author !== undefined && { author }),
    ...(alert > 0 && { alert }),
    ...(type !== undefined && { type }),
    tags,
    matchAny: flag(query, 'matchAny'),
    limit: limitOf(call),
  };
}

/** The limit of a request: 100 if there is none. */
export function limitOf(call: LegacyCall): number {
  return number(call.query, 'limit') === 0 ? LIMIT : call.limit('limit', LIMIT, MOST);
}

/** A parameter that is an integer; 0 without it. Negative numbers count as 0. */
function number(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  if (!/^-?[0-9]{1,15}$/.test(text)) throw plainFailure(400, `${name} is invalid`);
  return Math.max(0, Number(text));
}

/**
 * The latest time that a query can say. A range without `to` ends there, because a query that ignored `from` would find
 * more than was asked for.
 */
const LATEST = 999_999_999_999_999;

function rangeOf(query: URLSearchParams): Query['range'] {
  const from = number(query, 'from');
  const to = query.get('to') ? number(query, 'to') : LATEST;
  if (from === 0 && (to === 0 || to === LATEST)) return undefined;
  if (from > to) throw plainFailure(400, 'The time range ends before it begins: from must not be after to');
  return { from, to };
}

/** The name of the dashboard of the query. `null`: there is no dashboard with this number. */
function dashboardOf(call: LegacyCall): string | null | undefined {
  const uid = call.query.get('dashboardUID') ?? '';
  const id = number(call.query, 'dashboardId');
  if (uid !== '') {
    warnOfNumber(call, 'query parameter "dashboardId"', id, uid);
    return uid;
  }
  return id === 0 ? undefined : (dashboardWithId(call, id) ?? null);
}

/** The number of the alert rule of the query; 0 without one. `null`: there is no rule with this uid. */
function alertOf(call: LegacyCall): number | null {
  const uid = call.query.get('alertUID') ?? '';
  const id = number(call.query, 'alertId');
  if (uid === '') return id;
  const rules = call.hasKind('rules.alerting/AlertRule') ? call.objects('rules.alerting/AlertRule') : undefined;
  const rule = rules?.find(uid);
  if (rules !== undefined) call.numberBeside('query parameter "alertId"', id, 'rules.alerting/AlertRule', uid);
  return rules === undefined || rule === undefined ? null : rules.idOf(rule);
}

/**
 * The identity of the author of the query. Users and service accounts share their numbers. `null`: nobody has the
 * number.
 */
function authorOf(call: LegacyCall): string | null | undefined {
  const id = number(call.query, 'userId');
  if (id === 0) return undefined;
  const user = call.objects('iam/User').findById(id);
  if (user !== undefined) return `user:${user.metadata.name}`;
  const account = call.objects('iam/ServiceAccount').findById(id);
  return account === undefined ? null : `service-account:${account.metadata.name}`;
}

function tagsOf(query: URLSearchParams): readonly Tag[] {
  const tags = query.getAll('tags').map(tagOf);
  const named = tags.filter(({ key, value }) => key !== '' || value !== '');
  const distinct = [...new Map(named.map((tag) => [JSON.stringify([tag.key, tag.value]), tag])).values()];
  if (distinct.length > MOST_TAGS) throw plainFailure(400, `A query has at most ${MOST_TAGS} tags`);
  return distinct;
}

import { fold } from '../../../../pkg/kube/meta/fold.js';
import type { ObjectReader } from '../../../../registry/client/object-reader.js';
import { INTERNAL_ID_INDEX } from '../../../../registry/kinds/registry.js';
import { flag } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { eachInOrder, searchEntries } from '../../../../registry/legacy/search.js';
import { type Entry, nameOf, objectOf } from '../../../../registry/read/reader.js';
import { BY_TIME } from '../../../internal/lastseen/schema.js';
import { neverSeen } from '../../legacy/formats.js';
import {
  byKeys,
  findPage,
  type Page,
  pageOf,
  queryText,
  type SortKey,
  type SortValues,
  sortOf,
} from '../../legacy/lists.js';
import type { User } from '../../legacy/people.js';
import { BY_EMAIL, BY_LOGIN, BY_NAME, type UserSpec } from '../schema.js';
import { type UserItem, userRow } from './dto.js';

const FIELDS = ['login', 'email', 'name', 'lastSeenAtAge'] as const;
type Field = (typeof FIELDS)[number];

const INDEX: Readonly<Record<Exclude<Field, 'lastSeenAtAge'>, string>> = {
  login: BY_LOGIN,
  email: BY_EMAIL,
  name: BY_NAME,
};

const BY_DEFAULT: SortKey<Field> = { field: 'login', descending: false };

export interface FoundUsers extends Page {
  readonly totalCount: number;
  readonly users: readonly UserItem[];
}

/** A page of the users that the caller may view, searched and sorted. Only the users of the page are parsed. */
export function searchUsers(call: LegacyCall, query: string): FoundUsers {
  const page = pageOf(call.query);
  const sorting = sortOf(call.query, FIELDS);
  const users = call.objects<UserSpec>('iam/User');
  const lastSeen = lastSeenOf(call, users);
  const now = call.now();
  const all = ordered(users, lastSeen, sorting, query);
  const wanted = flag(call.query, 'activeLast30Days') ? { entries: active(all.entries, lastSeen, now) } : all;
  const found = findPage({ ...page, query: '', ...wanted, filter: users.readFilter() });
  const items = found.entries.map((entry) => {
    const user = objectOf(entry) as User;
    return userRow(call, user, lastSeen.at(entry), now);
  });
  return { totalCount: found.totalCount, users: items, ...page };
}

const ACTIVE = 30 * 86_400_000;

/** The users who called in the last 30 days. */
function* active(entries: Iterable<Entry>, lastSeen: LastSeenTimes, now: number): Generator<Entry, void, undefined> {
  for (const entry of entries) if ((lastSeen.at(entry) ?? 0) > now - ACTIVE) yield entry;
}

export const searchText = (call: LegacyCall): string => queryText(call.query, fold);

/** The times of the last calls of users. */
interface LastSeenTimes {
  at(user: Entry): number | undefined;
  /** The matching users: those who never called by their creation, then the others by their last call. */
  ordered(query: string): readonly Entry[];
}

function lastSeenOf(call: LegacyCall, users: ObjectReader<UserSpec>): LastSeenTimes {
  const times = call.objects('internal/LastSeen');
  const timeOf = (entry: Entry | undefined): number | undefined => {
    const text = entry?.attributes.fields?.['spec.at'];
    return text === undefined ? undefined : Date.parse(text);
  };
  const ordered = (query: string): readonly Entry[] => {
    const wanted = searchEntries(users, INTERNAL_ID_INDEX, query);
    const left = new Set(wanted);
    const seen = searchEntries(times, BY_TIME).flatMap((entry) => users.entry(nameOf(entry)) ?? []);
    const ever = seen.filter((entry) => left.delete(entry));
    return [...left, ...ever];
  };
  return { at: (user) => timeOf(times.entry(nameOf(user))), ordered };
}

/**
 * All users in the requested order. An index gives the order by the first key; users with equal values are sorted by
 * the other keys.
 */
function ordered(
  users: ObjectReader<UserSpec>,
  lastSeen: LastSeenTimes,
  keys: readonly SortKey<Field>[],
  query: string,
): { readonly entries: Iterable<Entry>; readonly total: number } {
  const [first = BY_DEFAULT, ...others] = keys;
  const isUnique = first.field === 'login' || first.field === 'email';
  const isInOrder = !first.descending && first.field !== 'lastSeenAtAge' && (isUnique || others.length === 0);
  if (query === '' && isInOrder) return { entries: eachInOrder(users, INDEX[first.field]), total: users.count() };
  const index =
    first.field === 'lastSeenAtAge' ? lastSeen.ordered(query) : searchEntries(users, INDEX[first.field], query);
  const entries = first.descending ? index.toReversed() : index;
  const total = entries.length;
  if (others.length === 0 || isUnique) return { entries, total };
  const values = valuesOf(lastSeen);
  return { entries: sortedRuns(entries, values[first.field], byKeys(others, values)), total };
}

function valuesOf(lastSeen: LastSeenTimes): SortValues<Field, Entry> {
  const created = (entry: Entry): number => Date.parse(objectOf(entry).metadata.creationTimestamp ?? '');
  const part = (at: number) => (entry: Entry) => entry.attributes.text?.split('\n')[at] ?? '';
  return {
    login: part(0),
    email: part(1),
    name: part(2),
    lastSeenAtAge: (entry) => lastSeen.at(entry) ?? neverSeen(created(entry)),
  };
}

/** Sorts each run of users with equal values. Reads no further than its consumer. */
function* sortedRuns(
  entries: Iterable<Entry>,
  valueIn: (entry: Entry) => string | number,
  order: (a: Entry, b: Entry) => number,
): Generator<Entry, void, undefined> {
  let run: Entry[] = [];
  let value: string | number | undefined;
  for (const entry of entries) {
    const own = valueIn(entry);
    if (own !== value) {
      yield* run.sort(order);
      run = [];
      value = own;
    }
    run.push(entry);
  }
  yield* run.sort(order);
}

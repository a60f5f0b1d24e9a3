import { ScimError } from '../../pkg/scim/errors.js';
import type { Filter } from '../../pkg/scim/filter.js';
import { demandedBy, matcher, type Resource, valuesAt } from '../../pkg/scim/match.js';
import { projected, shows } from '../../pkg/scim/projection.js';
import { cursorText, type ListQuery } from '../../pkg/scim/query.js';
import { placeOf, type ResourceSchema } from '../../pkg/scim/schema.js';
import { yielding } from '../../pkg/system/yielding/yielding.js';
import { type Entry, nameOf } from '../../registry/read/reader.js';

/** The resources of one type. An entry is the membership of a user, or a team. */
export interface Collection {
  readonly schema: ResourceSchema;
  /** In the order of ids. */
  all(): Iterable<Entry>;
  /** The paths that an index finds. */
  readonly indexed: ReadonlySet<string>;
  found(path: string, value: string): Iterable<Entry>;
  /** Undefined if it is gone. What `has` denies may be left out, because it is expensive. */
  resource(entry: Entry, has: (attribute: string) => boolean): Resource | undefined;
}

/** The most entries that one list looks at, if no index finds what it asks for. */
const MOST_WALKED = 50_000;
/** The most members of all groups of a page together, if there is more than one. The page is made in memory. */
const MOST_VALUES = 200_000;
const SMALLER = 'ask for excludedAttributes=members, or for a smaller count';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

interface Page {
  readonly total: number;
  readonly entries: readonly Entry[];
  /** How many come before the page; with `after`, of those that come after it. */
  readonly before: number;
}

/** A page of a list (RFC 7644 §3.4.2, RFC 9865). */
export async function listResponse(collection: Collection, query: ListQuery): Promise<Resource> {
  const { startIndex, cursor, projection } = query;
  const { total, entries, before } = await pageOf(collection, query);
  const { schema } = collection;
  const resources: Resource[] = [];
  const has = (name: string): boolean => shows(projection, name);
  let values = 0;
  for await (const entry of yielding(entries)) {
    const resource = collection.resource(entry, has);
    values += valuesIn(resource);
    // Not a shorter page: clients go on after as many as they have asked for.
    if (resources.length > 0 && values > MOST_VALUES)
      throw new ScimError(400, 'tooMany', `the page has more than ${MOST_VALUES} members: ${SMALLER}`);
    if (resource !== undefined) resources.push(projected(resource, projection, schema));
  }
  const page = { schemas: [LIST_SCHEMA], totalResults: total, itemsPerPage: resources.length };
  if (cursor === undefined) return { ...page, startIndex, Resources: resources };
  const end = before + entries.length;
  const last = entries.at(-1);
  if (last === undefined || end >= total) return { ...page, Resources: resources };
  const next = query.sortBy === undefined ? { after: nameOf(last) } : { skip: end };
  return { ...page, nextCursor: cursorText(next, query.fingerprint), Resources: resources };
}

function valuesIn(resource: Resource = {}): number {
  return Object.values(resource).reduce((sum: number, value) => sum + (Array.isArray(value) ? value.length : 0), 0);
}

async function pageOf(collection: Collection, query: ListQuery): Promise<Page> {
  const { startIndex, count, cursor, sortBy } = query;
  const skip = cursor === undefined ? startIndex - 1 : (cursor.skip ?? 0);
  const isIn = (entry: Entry, at: number): boolean =>
    cursor?.after === undefined ? at >= skip : nameOf(entry) > cursor.after;
  if (sortBy !== undefined) {
    const sorted = await sortedEntries(collection, query);
    return { total: sorted.length, entries: sorted.slice(skip, skip + count), before: skip };
  }
  const entries: Entry[] = [];
  let [total, before] = [0, 0];
  for await (const { entry } of matching(collection, query.filter)) {
    const at = total++;
    if (!isIn(entry, at)) before++;
    else if (entries.length < count) entries.push(entry);
  }
  return { total, entries, before };
}

interface Match {
  readonly entry: Entry;
  /** Absent without filter, so that nothing is parsed. */
  readonly resource?: Resource;
}

async function* matching(
  collection: Collection,
  filter: Filter | undefined,
  needs: readonly string[] = [],
): AsyncGenerator<Match, void, undefined> {
  if (filter === undefined && needs.length === 0) {
    for await (const entry of yielding(collection.all())) yield { entry };
    return;
  }
  const { schema, indexed } = collection;
  const fits = filter === undefined ? () => true : matcher(filter, schema);
  const demanded = filter && demandedBy(filter, schema, indexed);
  const entries = demanded === undefined ? collection.all() : collection.found(demanded.path, demanded.value);
  const names = new Set([...needs, ...(filter === undefined ? [] : attributesIn(filter, schema))]);
  let left = MOST_WALKED;
  for await (const entry of yielding(entries)) {
    if (left-- === 0)
      throw new ScimError(400, 'tooMany', `the filter needs more than ${MOST_WALKED} resources: ${HINT}`);
    const resource = collection.resource(entry, (name) => names.has(name));
    if (resource !== undefined && fits(resource)) yield { entry, resource };
  }
}

const HINT = 'filter by userName, externalId, id, emails.value or displayName with eq';

function attributesIn(filter: Filter, schema: ResourceSchema): readonly string[] {
  if ('left' in filter) return [...attributesIn(filter.left, schema), ...attributesIn(filter.right, schema)];
  if (filter.op === 'not') return attributesIn(filter.filter, schema);
  return [placeOf(filter.path, schema)?.attribute.name ?? ''];
}

/** Resources without the attribute come last (RFC 7644 §3.4.2.3). */
async function sortedEntries(collection: Collection, query: ListQuery): Promise<readonly Entry[]> {
  const { sortBy, descending, filter } = query;
  if (sortBy === undefined) return [];
  const { attribute, sub } = sortBy;
  const value = attribute.subAttributes?.find(({ name }) => name === 'value');
  const path = [attribute, ...(sub === undefined ? (value === undefined ? [] : [value]) : [sub])];
  const form = (text: string): string => ((sub ?? attribute).caseExact ? text : text.toLowerCase());
  const keyed: { readonly entry: Entry; readonly key: string | undefined }[] = [];
  for await (const { entry, resource = {} } of matching(collection, filter, [attribute.name])) {
    const [first] = valuesAt(resource, path);
    keyed.push({ entry, key: first === undefined ? undefined : form(String(first)) });
  }
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    if (a.key === undefined || b.key === undefined) return (a.key === undefined ? 1 : -1) * sign;
    return a.key < b.key ? -sign : sign;
  });
  return keyed.map(({ entry }) => entry);
}

import { createHash } from 'node:crypto';
import { invalidSyntax, invalidValue, ScimError } from './errors.js';
import { type Filter, parseFilter } from './filter.js';
import { type Projection, projection } from './projection.js';
import { isMembers } from './resource.js';
import { type Place, placeOf, type ResourceSchema } from './schema.js';

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1_000;
const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** What a list asks for (RFC 7644 §3.4.2, RFC 9865). */
export interface ListQuery {
  readonly filter: Filter | undefined;
  readonly sortBy: Place | undefined;
  readonly descending: boolean;
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
  /** Paging by cursor: how many were sent before. Absent: by index. */
  readonly cursor: Cursor | undefined;
  /** Stands for filter and order, which a cursor belongs to. */
  readonly fingerprint: string;
  readonly projection: Projection;
}

/** Where a page begins: after this id, or after so many of a sorted list. */
export interface Cursor {
  readonly after?: string;
  readonly skip?: number;
}

type Parameters = ReadonlyMap<string, readonly string[]>;

const KNOWN = ['filter', 'sortby', 'sortorder', 'startindex', 'count', 'cursor', 'attributes', 'excludedattributes'];

/** Throws ScimError for a parameter that is not known: it may be meant to narrow the list. */
export function listQuery(query: URLSearchParams, schema: ResourceSchema): ListQuery {
  return queryOf(parametersOf(query, KNOWN), schema);
}

/** `attributes` and `excludedAttributes` of a request for one resource. */
export function projectionOf(query: URLSearchParams, schema: ResourceSchema): Projection {
  const parameters = parametersOf(query, ['attributes', 'excludedattributes']);
  return projection(namesIn(parameters, 'attributes'), namesIn(parameters, 'excludedattributes'), schema);
}

/** The same in the body of a `/.search`. */
export function searchQuery(body: unknown, schema: ResourceSchema): ListQuery {
  if (!isMembers(body)) throw invalidSyntax('the body must be a JSON object');
  const parameters = new Map<string, readonly string[]>();
  for (const [sent, value] of Object.entries(body)) {
    const name = sent.toLowerCase();
    if (name === 'schemas') {
      if (!Array.isArray(value) || !value.includes(SEARCH_SCHEMA))
        throw invalidSyntax(`schemas must name ${SEARCH_SCHEMA}`);
      continue;
    }
    if (!KNOWN.includes(name)) throw invalidSyntax(`a search has no ${JSON.stringify(sent.slice(0, 100))}`);
    parameters.set(name, (Array.isArray(value) ? value : [value]).map(String));
  }
  return queryOf(parameters, schema);
}

function parametersOf(query: URLSearchParams, known: readonly string[]): Parameters {
  const parameters = new Map<string, readonly string[]>();
  for (const [sent, value] of query) {
    const name = sent.toLowerCase();
    if (!known.includes(name)) throw invalidValue(`there is no parameter ${JSON.stringify(sent.slice(0, 100))}`);
    if (parameters.has(name)) throw invalidValue(`${sent} is given twice`);
    parameters.set(name, [value]);
  }
  return parameters;
}

function queryOf(parameters: Parameters, schema: ResourceSchema): ListQuery {
  const one = (name: string): string | undefined => parameters.get(name)?.[0];
  const filter = one('filter');
  const order = (one('sortorder') ?? 'ascending').toLowerCase();
  if (order !== 'ascending' && order !== 'descending') throw invalidValue('sortOrder is ascending or descending');
  const sortBy = one('sortby');
  const place = sortBy === undefined ? undefined : placeOf(sortBy, schema);
  if (sortBy !== undefined && (place === undefined || place.attribute.returned === 'never'))
    throw invalidValue(`there is no attribute ${JSON.stringify(sortBy.slice(0, 100))} to sort by`);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([schema.urn, filter, sortBy, order]))
    .digest('base64url')
    .slice(0, 12);
  return {
    filter: filter === undefined || filter === '' ? undefined : parseFilter(filter),
    sortBy: place,
    descending: order === 'descending',
    startIndex: Math.max(1, wholeOf('startIndex', one('startindex')) ?? 1),
    count: countOf(one('count'), parameters.has('cursor')),
    cursor: parameters.has('cursor') ? readCursor(one('cursor') ?? '', fingerprint) : undefined,
    fingerprint,
    projection: projection(namesIn(parameters, 'attributes'), namesIn(parameters, 'excludedattributes'), schema),
  };
}

/** A negative number counts as 0 (RFC 7644 §3.4.2.4), but not with a cursor (RFC 9865 §2.2). */
function countOf(text: string | undefined, hasCursor: boolean): number {
  const count = wholeOf('count', text) ?? DEFAULT_PAGE;
  if (count < 0 && hasCursor) throw new ScimError(400, 'invalidCount', 'count must not be negative');
  return Math.min(Math.max(0, count), LARGEST_PAGE);
}

function wholeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^-?\d{1,100}$/.test(text)) throw invalidValue(`${name} must be an integer`);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** A list of names, separated by commas. */
function namesIn(parameters: Parameters, name: string): readonly string[] {
  return (parameters.get(name) ?? [])
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

export function cursorText(cursor: Cursor, fingerprint: string): string {
  return Buffer.from(JSON.stringify({ ...cursor, of: fingerprint })).toString('base64url');
}

function readCursor(text: string, fingerprint: string): Cursor {
  if (text === '') return {};
  const cursor = parsedCursor(text);
  if (cursor === undefined) throw new ScimError(400, 'invalidCursor', 'the cursor is not one of this server');
  if (cursor.of !== fingerprint)
    throw new ScimError(400, 'invalidCursor', 'the cursor belongs to another filter or order');
  return cursor;
}

function parsedCursor(text: string): (Cursor & { readonly of: string }) | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text.slice(0, 1_000), 'base64url').toString());
    if (!isMembers(value)) return undefined;
    const { after, skip, of } = value;
    if (typeof of !== 'string') return undefined;
    if (typeof after === 'string') return { after, of };
    return typeof skip === 'number' && Number.isInteger(skip) && skip >= 0 ? { skip, of } : undefined;
  } catch {
    return undefined;
  }
}

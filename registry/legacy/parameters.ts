import { plainFailure } from './errors.js';

/** Many routes know these, and existing clients send them to others, too. */
const KNOWN_ANYWHERE: readonly string[] = ['orgId', 'accesscontrol'];
const MOST_NAMED = 10;

/**
 * Gives parameters that are sent in another case (`perPage` for `perpage`) the name that the route knows, as for
 * members of bodies: existing clients send them, and mean what the route does. If the exact name comes, too, nobody
 * knows which one is meant, and the other stays unknown.
 */
export function nameParameters(query: URLSearchParams, known: readonly string[]): void {
  const sent = new Set(query.keys());
  const names = [...known, ...KNOWN_ANYWHERE];
  for (const sentName of sent) {
    if (names.includes(sentName)) continue;
    const name = names.find((candidate) => candidate.toLowerCase() === sentName.toLowerCase());
    if (name !== undefined && !sent.has(name)) rename(query, sentName, name);
  }
}

function rename(query: URLSearchParams, from: string, to: string): void {
  for (const value of query.getAll(from)) query.append(to, value);
  query.delete(from);
}

/**
 * Throws 400 for query parameters that the route does not know: a list would be longer than a filter is meant to make
 * it. Warns of those of a route that reads one thing (`single`), and of empty ones, which ask for nothing.
 */
export function unknownParameters(
  query: URLSearchParams,
  { query: known = [], single = false }: { readonly query?: readonly string[]; readonly single?: boolean },
): readonly string[] {
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name) && !KNOWN_ANYWHERE.includes(name));
  const asking = single ? [] : unknown.filter((name) => query.getAll(name).some((value) => value !== ''));
  if (asking.length > 0) throw plainFailure(400, refusalOf(asking, known));
  return unknown.slice(0, MOST_NAMED).map((name) => `unknown query parameter ${JSON.stringify(name.slice(0, 100))}`);
}

/** Throws 400 for a parameter with two values, of which only one would count. */
export function refuseSeveralValues(
  query: URLSearchParams,
  { query: known = [], lists = [] }: { readonly query?: readonly string[]; readonly lists?: readonly string[] },
): void {
  for (const name of [...known, ...KNOWN_ANYWHERE])
    if (!lists.includes(name) && new Set(query.getAll(name)).size > 1)
      throw plainFailure(400, `${name} has two values, of which only one would count: send one`);
}

function refusalOf(unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.slice(0, MOST_NAMED).map((name) => JSON.stringify(name.slice(0, 100)));
  const there = known.length === 0 ? 'this route has none' : `there are ${known.join(', ')}`;
  return `unknown query parameter ${named.join(', ')}: ${there}`;
}

import fc from 'fast-check';
import type { z } from 'zod';
import { internalId } from '../../apis/testing/legacy-examples.js';
import { LegacyCall } from '../../registry/legacy/call.js';
import type { Body } from '../harness/body.js';
import { type ListedRoute, legacyRoutesOf, routesElsewhereOf } from '../harness/legacy-routes.js';
import type { Server } from '../harness/server.js';
import { jsonSchemaOf, type Schema, valuesOf } from '../kinds/suite/arbitrary.js';
import { markersIn } from './markers.js';
import type { FuzzRequest, Stored } from './resource-requests.js';
import { nearly, rubbish, STRANGE, strangeHeaders, strangeSegment } from './values.js';

/** A route with its whole path, and the schema of its body if it reads one. */
export interface Route extends ListedRoute {
  readonly schema: Schema | undefined;
}

/**
 * All routes of the legacy API, except sign-in, which takes long to check passwords, and the test of a connection,
 * which asks other hosts.
 */
export async function routesOf(server: Server): Promise<readonly Route[]> {
  const routes: Route[] = [];
  const below = legacyRoutesOf(server).map((route) => ({ ...route, path: `/api${route.path}` }));
  for (const route of [...below, ...routesElsewhereOf(server)]) {
    if (route.path.includes('login') || route.path.endsWith('/:provider/test')) continue;
    routes.push({ ...route, schema: await schemaOf(server, route) });
  }
  return routes;
}

/** The schema that the handler asks for. It is found by a call with an empty body, which changes at most a name. */
async function schemaOf(server: Server, { method, path }: ListedRoute): Promise<Schema | undefined> {
  if (method === 'GET') return undefined;
  let found: z.ZodType | undefined;
  const { body } = LegacyCall.prototype;
  LegacyCall.prototype.body = function spied<T>(this: LegacyCall, schema: z.ZodType<T>): T {
    found = schema;
    return body.call(this, schema) as T;
  };
  try {
    const usual = path.replace(/:[a-zA-Z]+/g, (name) => (/uid/i.test(name) ? 'c' : '1'));
    await server.call(method, usual, { body: {} });
  } finally {
    LegacyCall.prototype.body = body;
  }
  return found && jsonSchemaOf(found);
}

/** Requests to every route. The bodies are values of the schema of the route, usually changed in a place or two. */
export function legacyRequests(routes: readonly Route[], stored: Stored): fc.Arbitrary<FuzzRequest> {
  const query = queryOf(stored);
  return fc.oneof(...routes.map((route) => requestsTo(route, stored, query)));
}

function requestsTo(
  { method, path, schema }: Route,
  stored: Stored,
  query: fc.Arbitrary<FuzzRequest['query']>,
): fc.Arbitrary<FuzzRequest> {
  const segments = path.split('/').map((segment, index, all) => {
    const before = all.slice(0, index).join('/');
    return segment.startsWith(':') ? valuesFor(segment.slice(1), before, stored) : fc.constant(segment);
  });
  return fc
    .record({
      path: fc.tuple(...segments).map((filled) => filled.join('/')),
      query: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: query }),
      headers: strangeHeaders,
      body: fc.oneof(
        { weight: 8, arbitrary: nearly(schema === undefined ? fc.constant({}) : valuesOf(schema)) },
        { weight: 1, arbitrary: rubbish },
      ),
    })
    .map(({ body, ...request }) => (method === 'GET' ? { ...request, method } : { ...request, method, body }));
}

/** Usually names or numbers of the objects that a parameter is about. */
function valuesFor(parameter: string, before: string, stored: Stored): fc.Arbitrary<string> {
  const about = `${before}/${parameter}s`.replaceAll(/-|(?<=[a-z])(Id|Uid)(?=s$)/g, '');
  const place = (resource: string): number => about.lastIndexOf(`/${ALIASES[resource] ?? resource}`);
  const [own = ''] = [...stored.keys()].filter((one) => place(one) >= 0).sort((a, b) => place(b) - place(a));
  const objects = stored.get(own) ?? [];
  const all = [...stored.values()].flat();
  const others = fc.oneof(fc.constantFrom('1', '2', '3', '4', '5'), fc.constantFrom('a', 'b', 'c', ...all.map(nameOf)));
  return fc.oneof(
    ...(objects.length > 0 ? [{ weight: 12, arbitrary: fc.constantFrom(...objects.flatMap(keysOf)) }] : []),
    { weight: 3, arbitrary: others },
    { weight: 1, arbitrary: strangeSegment },
  );
}

/** The names of some resources in paths of the legacy API. */
const ALIASES: Readonly<Record<string, string>> = { organizations: 'orgs', queryhistories: 'queryhistory' };

const nameOf = ({ metadata }: Body): string => encodeURIComponent(metadata.name);
const keysOf = (object: Body): readonly string[] => [
  nameOf(object),
  ...(internalId(object) > 0 ? [`${internalId(object)}`] : []),
];

const NUMBERS = ['0', '-1', '1', '2', '1e3', '99999999999999999999', 'x'];

const PARAMETERS = [
  ...[
    'page',
    'perpage',
    'limit',
    'sort',
    'query',
    'query[$ne]',
    'name',
    'teamId',
    'parentUid',
    'orgId',
    'loginOrEmail',
  ],
  ...['permission', 'type', 'tag', 'folderUIDs', 'accesscontrol', 'forceDeleteRules', 'version', 'userId', 'disabled'],
  ...['dashboardUID', 'dashboardUIDs', 'folderFilterUIDs', 'searchString', 'excludeUid', 'tags', 'from', 'to'],
];

/** Random queries. Some values are names of stored objects, or texts in them. */
function queryOf(stored: Stored): fc.Arbitrary<Readonly<Record<string, string>>> {
  const names = [...stored.values()].flat().map(({ metadata }) => metadata.name);
  const texts = [...markersIn(JSON.stringify([...stored.values()]))];
  const values = fc.oneof(
    fc.constantFrom(...NUMBERS, 'login-asc', 'name-desc,email-asc', 'true', 'View'),
    fc.constantFrom(...STRANGE).map((value) => String(value).slice(0, 300)),
    fc.constantFrom(...names),
    fc.constantFrom(...texts),
  );
  return fc.dictionary(fc.constantFrom(...PARAMETERS), values, { maxKeys: 3 });
}

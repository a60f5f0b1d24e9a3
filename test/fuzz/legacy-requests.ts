import fc from 'fast-check';
import type { z } from 'zod';
import { LegacyCall } from '../../registry/legacy/call.js';
import { type ListedRoute, legacyRoutesOf } from '../harness/legacy-routes.js';
import { jsonSchemaOf, type Schema, valuesOf } from '../kinds/suite/arbitrary.js';
import type { FuzzRequest } from './resource-requests.js';
import { nearly, rubbish, STRANGE, strangeHeaders, strangeSegment } from './values.js';
import type { World } from './world.js';

/** A route, with the schema of its body if it reads one. */
export interface Route extends ListedRoute {
  readonly schema: Schema | undefined;
}

/**
 * All routes of the legacy API, apart from sign-in, which checks a password at its full cost each time, and from the test of a connection,
 * which asks other hosts.
 */
export async function routesOf(world: World): Promise<readonly Route[]> {
  const routes: Route[] = [];
  for (const route of legacyRoutesOf(world.server)) {
    if (route.path.includes('login') || route.path.endsWith('/:provider/test')) continue;
    routes.push({ ...route, schema: await schemaOf(world, route) });
  }
  return routes;
}

/** The schema that the handler asks for. A call with an empty body changes nothing, or a name. */
async function schemaOf(world: World, { method, path }: ListedRoute): Promise<Schema | undefined> {
  if (method === 'GET') return undefined;
  let found: z.ZodType | undefined;
  const { body } = LegacyCall.prototype;
  LegacyCall.prototype.body = function spied<T>(this: LegacyCall, schema: z.ZodType<T>): T {
    found = schema;
    return body.call(this, schema) as T;
  };
  try {
    const usual = path.replace(/:[a-zA-Z]+/g, (name) => (/uid/i.test(name) ? 'c' : '1'));
    await world.send('operator', method, `/api${usual}`, { body: {} });
  } finally {
    LegacyCall.prototype.body = body;
  }
  return found && jsonSchemaOf(found);
}

/** Requests to every route. The bodies are values of the schema of the route, usually changed in a place or two. */
export function legacyRequests(routes: readonly Route[], world: World): fc.Arbitrary<FuzzRequest> {
  const names = [...world.stored.values()].flat().map(({ metadata }) => encodeURIComponent(metadata.name));
  const segment = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('1', '2', '3', '4', '5') },
    { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', ...names) },
    { weight: 1, arbitrary: strangeSegment },
  );
  return fc.oneof(...routes.map((route) => requestsTo(route, segment)));
}

function requestsTo({ method, path, schema }: Route, segment: fc.Arbitrary<string>): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
      query: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: query }),
      headers: strangeHeaders,
      body: fc.oneof(
        { weight: 8, arbitrary: nearly(schema === undefined ? fc.constant({}) : valuesOf(schema)) },
        { weight: 1, arbitrary: rubbish },
      ),
    })
    .map(({ segments, body, ...request }) => {
      const filled = { ...request, method, path: `/api${filledPath(path, segments)}` };
      return method === 'GET' ? filled : { ...filled, body };
    });
}

const NUMBERS = ['0', '-1', '1', '2', '1e3', '99999999999999999999', 'x'];
const query = fc.dictionary(
  fc.constantFrom(
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
    ...[
      'permission',
      'type',
      'tag',
      'folderUIDs',
      'accesscontrol',
      'forceDeleteRules',
      'version',
      'userId',
      'disabled',
    ],
  ),
  fc.oneof(
    fc.constantFrom(...NUMBERS, 'login-asc', 'name-desc,email-asc', 'true', 'View'),
    fc.constantFrom(...STRANGE).map((value) => String(value).slice(0, 300)),
  ),
  { maxKeys: 3 },
);

function filledPath(path: string, segments: readonly string[]): string {
  let next = 0;
  return path.replaceAll(/:[a-zA-Z]+/g, () => segments[next++] ?? 'a');
}

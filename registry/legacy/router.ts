import type { z } from 'zod';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { addRoute, createRouter, type Method, type Params, type Router } from '../../pkg/http/router.js';
import { warningHeaders } from '../../pkg/http/warnings.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { awaitRevision } from '../rest/options/freshness.js';
import { retrying } from '../signals/retry.js';
import { apiErrorOf } from '../signals/storage-errors.js';
import type { Answer } from './answers.js';
import { isReadable } from './body.js';
import { LegacyCall, type LegacyServices } from './call.js';
import { badRequestData, type ErrorRule, LegacyError, legacyErrorOf, plainFailure } from './errors.js';
import { isServiceAccount } from './organization.js';
import type { ParameterNotes } from './parameter-notes.js';
import { nameParameters, refuseSeveralValues, unknownParameters } from './parameters.js';
import { ok } from './respond.js';

/**
 * Translates a request, reads and writes objects of the registry, and translates the result. It has no state and no
 * rules.
 */
export type LegacyHandler = (call: LegacyCall) => Promise<ApiResponse> | ApiResponse;

export interface RouteOptions {
  /** Give failures of the registry their status and body. The first rule that matches is used. */
  readonly errors?: readonly ErrorRule[];
  /** Service accounts get 403, with this message if there is one. */
  readonly peopleOnly?: boolean | string;
  /**
   * The members that answers have, and that callers send back: they read an object, change a member, and write it. The
   * caller is not warned of them, although the route ignores them.
   */
  readonly answerMembers?: readonly string[];
  /** The message of the 500 that any other failure of the server becomes. */
  readonly fallback?: string;
  /** What the documentation says of the parameters of paths and queries, by name, beside `COMMON_NOTES`. */
  readonly notes?: ParameterNotes;
}

/** What a route does, and what the documentation tells about it. */
interface RouteEntry {
  /** One sentence without a full stop: `Creates a team`. */
  readonly summary: string;
  /** The schema that the handler reads the body by. */
  readonly body?: z.ZodType;
  /** What a success answers: a body, or `none`. Absent: a message, as `done` and `deleted` answer. */
  readonly answer?: Answer | 'none';
  readonly notes?: ParameterNotes;
  /**
   * The names of the query parameters, which callers may write in another case. Others are refused, because one that is
   * meant as a filter or an option would change what the request does.
   */
  readonly query?: readonly string[];
  /**
   * Those of `query` that may be repeated. Another one with two values is refused, because only one of them would
   * count.
   */
  readonly lists?: readonly string[];
  /** It reads one thing, which no parameter could widen. So the caller is only warned of unknown ones. */
  readonly single?: boolean;
  readonly handle: LegacyHandler;
}

/** One endpoint below `/api`. */
export interface LegacyRoute extends RouteOptions, RouteEntry {
  readonly method: Method;
  /** `/teams/:teamId`. */
  readonly path: string;
}

/** A router that remembers its routes, for the documentation. */
export type LegacyRouter = Router & { readonly table: readonly LegacyRoute[] };

/**
 * Routes with the same options, by method and path: `{ 'GET /teams/:teamId': { summary: 'Reads a team', handle: get }
 * }`.
 */
export function routes(
  options: RouteOptions,
  table: Readonly<Record<`${Exclude<Method, 'ANY'>} /${string}`, RouteEntry>>,
): readonly LegacyRoute[] {
  return Object.entries(table).map(([key, entry]) => {
    const [method, path = ''] = key.split(' ') as [Method, string];
    const notes = entry.notes && { notes: { ...options.notes, ...entry.notes } };
    return { ...options, ...entry, ...notes, method, path };
  });
}

/**
 * The router of a kind. If two routes match a request, the first one answers it. So `/teams/search` must be before
 * `/teams/:teamId`.
 */
export function legacyRouter(services: LegacyServices, ...tables: readonly (readonly LegacyRoute[])[]): LegacyRouter {
  const router = createRouter();
  const table = tables.flat();
  for (const route of table) {
    addRoute(router, route.method, route.path, (request, params) => answer(services, route, request, params));
  }
  return Object.assign(router, { table });
}

async function answer(
  services: LegacyServices,
  route: LegacyRoute,
  request: ApiRequest,
  params: Params,
): Promise<ApiResponse> {
  const call = new LegacyCall(services, request, params, route.answerMembers);
  try {
    if (route.peopleOnly) refuseServiceAccounts(route.peopleOnly, request);
    refuseConditions(request);
    if (request.query.size > 0) call.warn(parametersOf(request, route));
    // Reads see all writes that were acknowledged before the request arrived.
    await awaitRevision(services.registry.cacher, undefined, request);
    const response = await handled(call, route);
    call.warnOfUnreadBody();
    return call.warnings.length === 0 ? response : withWarnings(response, call.warnings);
  } catch (error) {
    if (call.hasStored) return withWarnings(storedAnyway(request, error), call.warnings);
    request.failureHeaders = warningHeaders(call.warnings);
    throw failureOf(error, route, request);
  }
}

/** Names the parameters as the route does, and returns the warnings of those that it does not know. */
function parametersOf({ query }: ApiRequest, route: LegacyRoute): readonly string[] {
  nameParameters(query, route.query ?? []);
  refuseSeveralValues(query, route);
  return unknownParameters(query, route);
}

/**
 * If a read would block the event loop for long, the handler ends, and begins again when the objects are parsed. This
 * is safe, because it has changed nothing by then. A request that reads so many large objects that this does not
 * suffice is handled anyhow.
 */
async function handled(call: LegacyCall, { handle }: LegacyRoute): Promise<ApiResponse> {
  const response = await retrying(() => handle(call), {
    accepts: () => !call.hasStored,
    onLast: () => call.readOn(),
  });
  // Parts of a long answer are read while it is sent.
  call.readOn();
  return response;
}

function withWarnings(response: ApiResponse, warnings: readonly string[]): ApiResponse {
  return { ...response, headers: { ...response.headers, ...warningHeaders(warnings) } };
}

/**
 * The answer to a request that was done, but whose usual answer cannot be made: the object may be gone already. Each
 * route has at most one commit, so all of the request was done. An error would make clients do it again.
 */
function storedAnyway(request: ApiRequest, error: unknown): ApiResponse {
  request.fault = error;
  return ok({ message: 'The change was stored, but it cannot be shown. Read the object to see it.' });
}

function refuseServiceAccounts(peopleOnly: true | string, { user }: ApiRequest): void {
  if (!isServiceAccount(user)) return;
  throw plainFailure(403, peopleOnly === true ? 'Endpoint only available for users' : peopleOnly);
}

const OF_READS = ['if-match', 'if-unmodified-since'];
const OF_WRITES = [...OF_READS, 'if-none-match'];

/**
 * Throws 400 for a condition of HTTP that the legacy API does not check: the request would be done although the thing
 * has changed. `If-Match: *` asks only that the thing exists, as most routes do anyway.
 */
function refuseConditions({ headers, method }: Pick<ApiRequest, 'headers' | 'method'>): void {
  const isRead = method === 'GET' || method === 'HEAD';
  const name = (isRead ? OF_READS : OF_WRITES).find(
    (header) => headers[header] !== undefined && headers[header] !== '*',
  );
  if (name === undefined) return;
  throw plainFailure(400, `${name} is not possible here: send the version in the body, if the route has one`);
}

function failureOf(error: unknown, { errors = [], fallback }: LegacyRoute, request: ApiRequest): unknown {
  const failure = legacyErrorOf(apiErrorOf(error), errors);
  if (failure instanceof ApiError && failure.code === 404 && !isReadable(request)) return badRequestData(failure);
  const isOurs = !(failure instanceof ApiError) || (failure.code === 500 && !(failure instanceof LegacyError));
  return isOurs && fallback !== undefined ? new LegacyError(500, { message: fallback }, error) : failure;
}

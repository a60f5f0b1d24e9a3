import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/exchange.js';
import { ApiError } from '../../pkg/status/status.js';
import { awaitRevision } from '../rest/freshness.js';
import { apiErrorOf } from '../storage-errors.js';
import { isReadable } from './body.js';
import { LegacyCall, type LegacyServices } from './call.js';
import { badRequestData, LegacyError, legacyErrorOf, plainFailure } from './errors.js';
import { type Match, routeMatcher } from './matcher.js';
import { isServiceAccount } from './organization.js';
import type { LegacyRoute } from './route.js';

/** The legacy interface below `prefix`. Throws LegacyError; what else it throws, `renderLegacyError` renders. */
export function legacyHandler(prefix: string, table: readonly LegacyRoute[], services: LegacyServices): Handler {
  const find = routeMatcher(table);
  return async (request) => {
    const match = find(request.method, request.path.slice(prefix.length));
    if (match === undefined) throw plainFailure(404, 'Not found');
    try {
      return await answer(request, match, services);
    } catch (error) {
      throw failureOf(error, match.route, request);
    }
  };
}

/** Reads see everything that was acknowledged before the request came. */
async function answer(
  request: ApiRequest,
  { route, params }: Match<LegacyRoute>,
  services: LegacyServices,
): Promise<ApiResponse> {
  const { peopleOnly = false } = route;
  if (peopleOnly !== false && isServiceAccount(request.user)) {
    throw plainFailure(403, peopleOnly === true ? 'Endpoint only available for users' : peopleOnly);
  }
  await awaitRevision(services.registry.cacher, undefined, request);
  return route.handle(new LegacyCall(services, request, params));
}

function failureOf(error: unknown, { errors = [], fallback }: LegacyRoute, request: ApiRequest): unknown {
  const told = legacyErrorOf(apiErrorOf(error), errors);
  if (told instanceof ApiError && told.code === 404 && !isReadable(request.body)) return badRequestData(told);
  const isOurs = !(told instanceof ApiError) || (told.code === 500 && !(told instanceof LegacyError));
  return isOurs && fallback !== undefined ? new LegacyError(500, { message: fallback }, error) : told;
}

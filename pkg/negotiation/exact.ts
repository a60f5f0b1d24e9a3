import type { ApiRequest, ApiResponse, Handler } from '../http/exchange.js';

/** Serves the paths of `routes`, with or without a slash at the end, and leaves every other path to `otherwise`. */
export function exactly(routes: ReadonlyMap<string, Handler>, otherwise: Handler): Handler {
  return (request: ApiRequest): Promise<ApiResponse> => {
    const path = request.path.length > 1 && request.path.endsWith('/') ? request.path.slice(0, -1) : request.path;
    return (routes.get(path) ?? otherwise)(request);
  };
}

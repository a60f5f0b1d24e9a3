import { redirect } from '../../apis/authentication/redirect.js';
import { type ErrorRenderer, renderStatus } from '../../pkg/http/errors.js';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { jsonResponse } from '../../pkg/http/json.js';
import { addRoute, createRouter, type Endpoints, routerEndpoints } from '../../pkg/http/router.js';
import { parseAccept } from '../../pkg/negotiation/accept.js';

/**
 * `GET /`. It leads people to the documentation, or to the sign-in page if they are not signed in. Programs get the paths of the server, as
 * from Kubernetes, if they may call the server at all.
 */
export function frontEndpoints(paths: () => readonly string[]): Endpoints {
  const body = (): unknown => ({ paths: [...new Set(paths())].sort() });
  const router = createRouter();
  addRoute(router, 'GET', '/', async (request) =>
    isBrowser(request) ? redirect('/docs') : jsonResponse(request, 200, body(), { vary: 'Accept' }),
  );
  return routerEndpoints(router, [{ prefix: '/', bodyBytes: 0, renderError }]);
}

const renderError: ErrorRenderer = (error, request) =>
  error.code === 401 && isBrowser(request) ? redirect('/login') : renderStatus(error, request);

/** Only browsers name HTML. `curl` and client libraries accept anything, or JSON. */
function isBrowser({ headers }: ApiRequest): boolean {
  return parseAccept(headers['accept']).some(({ type, subtype }) => type === 'text' && subtype === 'html');
}

import { escaped, plainPage } from '../../apis/authentication/plain-page.js';
import { redirect } from '../../apis/authentication/redirect.js';
import type { Settings } from '../../pkg/config/schema.js';
import { type ErrorRenderer, renderStatus } from '../../pkg/http/errors.js';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { jsonResponse } from '../../pkg/http/json.js';
import { parseAccept } from '../../pkg/http/negotiation/accept.js';
import { FORM_HEADERS } from '../../pkg/http/negotiation/entity-tag.js';
import { rootPath } from '../../pkg/http/root-path.js';
import { addRoute, createRouter, type Endpoints, routerEndpoints } from '../../pkg/http/router.js';

type FrontSettings = Pick<Settings, 'server' | 'console'>;

/**
 * `GET /`. It leads people to the console, or to the documentation if there is no console, or to the sign-in page if
 * they are not signed in. Programs get the paths of the server, as from Kubernetes, if they may call the server at all.
 */
export function frontEndpoints({ server, console }: FrontSettings, paths: () => readonly string[]): Endpoints {
  const root = rootPath(server.root_url);
  const home = `${root}${console.enabled ? '/console' : '/docs'}`;
  const body = (): unknown => ({ paths: [...new Set(paths())].sort() });
  const router = createRouter();
  addRoute(router, 'GET', '/', async (request) =>
    varying(isBrowser(request) ? redirect(home) : jsonResponse(request, 200, body())),
  );
  const renderError: ErrorRenderer = (error, request) =>
    varying(error.code === 401 && isBrowser(request) ? redirect(`${root}/login`) : renderStatus(error, request));
  return routerEndpoints(router, [{ prefix: '/', isAboutServer: true, bodyBytes: 0, renderError }]);
}

/**
 * What browsers get at paths that do not exist: a page with a way on. Programs get a Status, as at all paths of the
 * APIs.
 */
export function unknownPath({ server, console }: FrontSettings): ErrorRenderer {
  const root = rootPath(server.root_url);
  const [home, name] = console.enabled ? ['/console', 'To the dashboards'] : ['/docs', 'To the documentation'];
  return (error, request) => {
    const { method, path } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || !isBrowser(request) || error.code !== 404) return varying(renderStatus(error, request));
    const content = `<h1>There is no such page</h1>
<p>This server has nothing at <code>${escaped(path.slice(0, LONGEST_SHOWN))}</code>. The address may be mistyped, or of another version.</p>
<nav><a href="${root}${home}">${name}</a></nav>`;
    return varying(plainPage({ title: 'No such page', content, status: 404 }));
  };
}

/** The most characters of a path that the page repeats. */
const LONGEST_SHOWN = 200;

function varying(response: ApiResponse): ApiResponse {
  return { ...response, headers: { ...response.headers, vary: FORM_HEADERS } };
}

/** Only browsers name HTML. `curl` and client libraries accept anything, or JSON. */
function isBrowser({ headers }: ApiRequest): boolean {
  return parseAccept(headers['accept']).some(({ type, subtype }) => type === 'text' && subtype === 'html');
}

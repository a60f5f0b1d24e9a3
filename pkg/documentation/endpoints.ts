import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { ApiRequest, ApiResponse } from '../http/handler.js';
import { addRoute, createRouter, type Endpoints, type RouteHandler, routerEndpoints } from '../http/router.js';
import { type Document, documentOf, lazy, serveDocument } from '../negotiation/document.js';

const ROOT = '/docs';

/** Scripts and styles of this server only, and no page of another site around it. Swagger UI has its icons as `data:` URLs in its styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  // The files change with the version of the server, so browsers ask each time, and mostly get 304.
  'cache-control': 'no-cache',
  vary: 'Accept-Encoding',
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
};

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const { resolve } = createRequire(import.meta.url);
const own = (name: string): URL => new URL(name, import.meta.url);

/** The files of the page, by path. */
const FILES: Readonly<Record<string, readonly [type: string, file: () => string | URL]>> = {
  [ROOT]: [HTML, () => own('page.html')],
  [`${ROOT}/page.css`]: [CSS, () => own('page.css')],
  [`${ROOT}/page.js`]: [SCRIPT, () => own('page.js')],
  [`${ROOT}/swagger-ui.css`]: [CSS, () => resolve('swagger-ui-dist/swagger-ui.css')],
  [`${ROOT}/swagger-ui-bundle.js`]: [SCRIPT, () => resolve('swagger-ui-dist/swagger-ui-bundle.js')],
};

/**
 * `/docs`: a page that shows the OpenAPI documents of this server, for people. The page is public, as the sign-in page is. It tells nothing
 * about the server: the documents need the same rights as without the page.
 */
export function documentationEndpoints(): Endpoints {
  const router = createRouter();
  for (const [path, [type, file]] of Object.entries(FILES)) addRoute(router, 'GET', path, serving(type, file));
  return routerEndpoints(router, [{ prefix: ROOT, isPublic: true, bodyBytes: 0 }]);
}

/** A file is read and compressed at its first request, and then served from memory. */
function serving(type: string, file: () => string | URL): RouteHandler {
  const forms = lazy(() => formsOf(type, file()));
  return async (request) => serve(request, await forms());
}

interface Forms {
  readonly plain: Document;
  readonly packed: Document;
}

async function formsOf(type: string, file: string | URL): Promise<Forms> {
  const bytes = await readFile(file);
  return { plain: documentOf(bytes, type), packed: documentOf(await promisify(gzip)(bytes, { level: 9 }), type) };
}

function serve(request: ApiRequest, { plain, packed }: Forms): ApiResponse {
  const { headers } = request;
  const isPacked = new Negotiator({ headers }).encodings(['gzip']).length > 0;
  if (!isPacked) return serveDocument(request, plain, HEADERS);
  return serveDocument(request, packed, { ...HEADERS, 'content-encoding': 'gzip' });
}

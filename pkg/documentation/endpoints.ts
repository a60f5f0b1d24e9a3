import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { designTokens } from '../console/tokens.js';
import { packed, servePacked } from '../http/negotiation/packed.js';
import { addRoute, createRouter, type Endpoints, type RouteHandler, routerEndpoints } from '../http/router.js';
import { lazy } from '../system/object/lazy.js';

const ROOT = '/docs';

/**
 * Scripts and styles of this server only, and no page of another site around it. Swagger UI has its icons as `data:`
 * URLs in its styles.
 */
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

/** The build copies the files of Swagger UI beside this one. The sources take them from the package. */
function ofSwagger(name: string): URL | string {
  const copy = own(`swagger-ui/${name}`);
  return existsSync(copy) ? copy : resolve(`swagger-ui-dist/${name}`);
}

/** The files of the page, by path. `root` is the path of `server.root_url`, which the page needs to find its files. */
const filesOf = (root: string): Readonly<Record<string, readonly [type: string, read: () => Promise<Buffer>]>> => ({
  [ROOT]: [HTML, () => pageAt(root)],
  [`${ROOT}/tokens.css`]: [CSS, async () => Buffer.from(designTokens())],
  [`${ROOT}/page.css`]: [CSS, () => readFile(own('page.css'))],
  [`${ROOT}/page.js`]: [SCRIPT, () => readFile(own('page.js'))],
  [`${ROOT}/swagger-ui.css`]: [CSS, () => readFile(ofSwagger('swagger-ui.css'))],
  [`${ROOT}/swagger-ui-bundle.js`]: [SCRIPT, () => readFile(ofSwagger('swagger-ui-bundle.js'))],
});

async function pageAt(root: string): Promise<Buffer> {
  const page = await readFile(own('page.html'), 'utf8');
  return Buffer.from(page.replaceAll(/(="|redirectTo=)\//g, (_, before) => `${before}${root}/`));
}

/**
 * `/docs`: a page that shows the OpenAPI documents of this server, for people. The page is public, as the sign-in page
 * is. It tells nothing about the server: the documents need the same rights as without the page.
 */
export function documentationEndpoints(root = ''): Endpoints {
  const router = createRouter();
  for (const [path, [type, read]] of Object.entries(filesOf(root))) addRoute(router, 'GET', path, serving(type, read));
  return routerEndpoints(router, [{ prefix: ROOT, isPublic: true, bodyBytes: 0 }]);
}

/** A file is read and compressed at its first request, and then served from memory. */
function serving(type: string, read: () => Promise<Buffer>): RouteHandler {
  const forms = lazy(async () => packed(await read(), type));
  return async (request) => servePacked(request, await forms(), HEADERS);
}

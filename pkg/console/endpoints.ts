import { extname } from 'node:path';
import { type Packed, packed, servePacked } from '../http/negotiation/packed.js';
import { addRoute, createRouter, type Endpoints, routerEndpoints } from '../http/router.js';
import { pathNotFound } from '../kube/status/errors.js';
import { lazy } from '../system/object/lazy.js';
import { type ConsoleFiles, consoleFiles } from './files.js';
import { consolePage } from './page.js';
import { WAIT_FOR_STYLE } from './wait-for-style.js';

const ROOT = '/console';

/**
 * Scripts and styles of this server only, and no page of another site around it. CodeMirror has icons as `data:` URLs,
 * and makes its styles by script.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

const COMMON = {
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
};
/** The page names the files of the present version, so browsers ask for it each time. */
const FRESH = {
  ...COMMON,
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
};
/**
 * The name of a file changes with its content, and that of a script also with `wait-for-style.ts` (`hack/build.sh`).
 * The policy of the page holds for its scripts and styles.
 */
const FOREVER = { ...COMMON, 'cache-control': 'public, max-age=31536000, immutable' };

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/**
 * `/console`: a page for people. Scripts in the browser show every path below it, so all of them have the same page. It
 * is public, as the sign-in page is: it tells nothing about the server, and gets all that it shows from the APIs.
 * `root` is the path of `server.root_url`.
 */
export function consoleEndpoints(root: string): Endpoints {
  const files = lazy(consoleFiles);
  const page = lazy(async () => packed(Buffer.from(consolePage(await files(), root)), 'text/html; charset=utf-8'));
  const assets = lazy(async () => assetsOf(await files()));
  const assetNamed = async (name: string): Promise<Packed> => {
    const asset = (await assets()).get(name);
    if (asset === undefined) throw pathNotFound();
    return asset;
  };
  const router = createRouter();
  addRoute(router, 'GET', `${ROOT}/assets/:name`, async (request, { name = '' }) =>
    servePacked(request, await assetNamed(name), FOREVER),
  );
  addRoute(router, 'GET', `${ROOT}/assets{/*rest}`, () => {
    throw pathNotFound();
  });
  addRoute(router, 'GET', `${ROOT}{/*path}`, async (request) => servePacked(request, await page(), FRESH));
  return routerEndpoints(router, [{ prefix: ROOT, isPublic: true, bodyBytes: 0 }]);
}

function assetsOf({ contents, laterStyles }: ConsoleFiles): ReadonlyMap<string, Packed> {
  const assets = new Map<string, Packed>();
  for (const [name, bytes] of contents) {
    const type = TYPES[extname(name)];
    const whole = laterStyles.has(name) ? Buffer.concat([bytes, WAIT_FOR_STYLE]) : bytes;
    if (type !== undefined) assets.set(name, packed(whole, type));
  }
  return assets;
}

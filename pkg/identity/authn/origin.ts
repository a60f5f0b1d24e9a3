import type { Site } from './authenticator.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method);

/**
 * Whether a page of another site may have sent the request. A request that names no page does not come from a browser:
 * browsers send `Origin` with every request that is not a read, and do not send a `SameSite` cookie from other sites.
 */
export function isForeign(site: Site, rootUrl?: string): boolean {
  if (site.fetchSite === 'cross-site') return true;
  if (site.origin !== undefined || site.referer !== undefined) return !isSameOrigin(site, rootUrl);
  return site.fetchSite !== undefined && site.fetchSite !== 'same-origin';
}

/**
 * Whether a page of another site may have sent a request that must not have the credentials of its visitor. These are
 * writes, and loads into the page, such as an image: the page cannot see the answer, but it can measure how long it
 * takes. A link that people follow loads a document, which is allowed.
 */
export function isForeignUse(site: Site, rootUrl: string | undefined): boolean {
  return (!isSafeMethod(site.method) || isLoadedElsewhere(site)) && isForeign(site, rootUrl);
}

function isLoadedElsewhere({ fetchSite, fetchDest }: Site): boolean {
  return (
    (fetchSite === 'cross-site' || fetchSite === 'same-site') && fetchDest !== undefined && fetchDest !== 'document'
  );
}

/**
 * Whether a page of this server sent the request. `Origin` decides, and `Referer` only if there is no `Origin`. A page
 * of `rootUrl` is ours even if a proxy has rewritten the request. Otherwise host and port must match, and an HTTP page
 * may not send HTTPS requests.
 */
export function isSameOrigin(site: Site, rootUrl?: string): boolean {
  const from = parse(site.origin ?? site.referer);
  if (from === undefined) return false;
  const ours = parse(rootUrl);
  if (ours !== undefined && ours.origin === from.origin) return true;
  if (site.host === undefined || (site.isSecure && from.protocol !== 'https:')) return false;
  return parse(`${from.protocol}//${site.host}`)?.host === from.host;
}

function parse(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

import type { Site } from './authenticator.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method);

/**
 * Whether a page of another site may have asked. Who tells nothing of any page is no browser: those send `Origin` with what is not a mere
 * read, and the cookie, which is `SameSite`, not at all from elsewhere.
 */
export function isForeign(site: Site, rootUrl?: string): boolean {
  if (site.fetchSite === 'cross-site') return true;
  if (site.origin !== undefined || site.referer !== undefined) return !isSameOrigin(site, rootUrl);
  return site.fetchSite !== undefined && site.fetchSite !== 'same-origin';
}

/**
 * Whether a page of this server asked. `Origin` decides; only without it `Referer` does. A page of `rootUrl` is ours however a proxy has
 * rewritten the request; else host and port must be those that were asked, and a plain page may not act on an encrypted one.
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

/**
 * The path of `server.root_url`, without a slash at its end: empty, or such as `/dashboards`. A proxy removes it from
 * the paths of requests, so only addresses for browsers contain it.
 */
export function rootPath(rootUrl: string | undefined): string {
  return rootUrl === undefined ? '' : new URL(rootUrl).pathname.replace(/\/+$/, '');
}

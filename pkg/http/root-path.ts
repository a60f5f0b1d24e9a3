/**
 * The path of `server.root_url`, without a slash at its end: empty, or such as `/dashboards`. A proxy takes it from the paths of requests, so
 * only addresses that browsers are told have it.
 */
export function rootPath(rootUrl: string | undefined): string {
  return rootUrl === undefined ? '' : new URL(rootUrl).pathname.replace(/\/+$/, '');
}

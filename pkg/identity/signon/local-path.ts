const LONGEST = 1000;
/** After a sign-in, nobody is sent to these. */
const NOWHERE = /^\/log(in|out)(\/|$)/i;

/**
 * The text, if it is a path on this server where a browser may be sent, otherwise undefined. A path that a browser
 * could take for an address of another site (`//evil.example`, `/\evil.example`, `/..//evil.example`) is none. Paths
 * are those that browsers see: they begin with `root`, the path of `server.root_url`.
 */
export function localPath(text: string | null | undefined, root = ''): string | undefined {
  if (text == null || text.length > LONGEST || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text)) return undefined;
  const base = 'http://this-server.invalid';
  if (!URL.canParse(text, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, base);
  if (
    origin !== base ||
    pathname.startsWith('//') ||
    NOWHERE.test(pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : pathname)
  )
    return undefined;
  return `${pathname}${search}${hash}`;
}

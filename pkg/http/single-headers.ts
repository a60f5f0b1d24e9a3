/**
 * The headers that have one value and decide something: who is calling, as whom, where, and how a body is read. Node
 * takes the first of several lines of most of them, and a proxy may take the last one. `Content-Length` and `Host` are
 * checked elsewhere. Headers with lists, such as `If-Match` and `X-Forwarded-For`, may have several lines, and so may
 * cookies.
 */
const SINGLE = [
  'authorization',
  'content-type',
  'impersonate-uid',
  'impersonate-user',
  'origin',
  'referer',
  'x-grafana-org-id',
] as const;

const LENGTHS = new Set<number>(SINGLE.map((name) => name.length));

/** The name of a header that may have one line, and has several. Most names are passed over by their length. */
export function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (!LENGTHS.has(name.length)) continue;
    const index = SINGLE.indexOf(name.toLowerCase() as (typeof SINGLE)[number]);
    if (index === -1) continue;
    if ((seen & (1 << index)) !== 0) return SINGLE[index];
    seen |= 1 << index;
  }
  return undefined;
}

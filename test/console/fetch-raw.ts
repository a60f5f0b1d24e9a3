import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Fetched {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they were sent. fetch would decompress them. */
  readonly bytes: Buffer;
  readonly text: string;
}

/** GET of exactly this path, without following redirects. */
export function fetchRaw(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Fetched> {
  const { origin } = new URL(url);
  return new Promise((resolve, reject) => {
    get(origin, { path: url.slice(origin.length), headers }, async (response) => {
      const bytes = await buffer(response);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
    }).on('error', reject);
  });
}

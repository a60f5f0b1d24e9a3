import { createHash } from 'node:crypto';
import type { ApiRequest, ApiResponse, Handler } from '../http/exchange.js';
import { encodeJson } from '../http/json.js';
import { methodNotAllowed } from '../status/errors.js';

/** A body that does not change while the server runs: encoded once, named by its hash. */
export interface Document {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Hexadecimal SHA-256, upper case; `"<hash>"` is the ETag. */
  readonly hash: string;
}

export function encodeDocument(value: unknown, contentType: string): Document {
  return documentOf(Buffer.from(`${JSON.stringify(value)}\n`), contentType);
}

export function documentOf(bytes: Uint8Array, contentType: string): Document {
  const hash = createHash('sha256').update(contentType).update('\0').update(bytes).digest('hex').toUpperCase();
  return { bytes, contentType, hash };
}

/** The same for people to read, with a tag of its own. Made anew each time: they ask seldom. */
export function indented({ bytes, contentType }: Document): Document {
  return documentOf(encodeJson(JSON.parse(Buffer.from(bytes).toString()), true), contentType);
}

/** Headers of documents that may change with the next start: kept by the client, but asked for again each time. */
const REVALIDATE = { 'cache-control': 'no-cache, private' } as const;

/** Answers with the document, or with 304 when the client has it. */
export function serveDocument(
  request: ApiRequest,
  document: Document,
  caching: Readonly<Record<string, string>> = REVALIDATE,
): ApiResponse {
  const headers = { etag: `"${document.hash}"`, vary: 'Accept', ...caching };
  if (holds(request.headers['if-none-match'], document.hash)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, 'content-type': document.contentType }, body: document.bytes };
}

/** A handler of a path that can only be read. */
export function readOnly(answer: (request: ApiRequest) => ApiResponse): Handler {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed(request.method);
    return answer(request);
  };
}

/** Computes at the first call, and answers the same ever after. */
export function lazy<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

function holds(ifNoneMatch: string | undefined, hash: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(`"${hash}"`);
}

import { createHash } from 'node:crypto';
import { parseJson } from '../../kube/json/parse.js';
import { methodNotAllowed } from '../../kube/status/errors.js';
import type { ApiRequest, ApiResponse, Handler } from '../handler.js';
import { encodeJson, JSON_TYPE } from '../json.js';
import { FORM_HEADERS, formTag, matchesTag } from './entity-tag.js';

/** A response body that does not change while it is served. It is encoded once and has its hash as ETag. */
export interface Document {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** SHA-256 in upper-case hexadecimal; the ETag is `"<hash>"`. */
  readonly hash: string;
}

export function encodeDocument(value: unknown, contentType: string): Document {
  return documentOf(Buffer.from(`${JSON.stringify(value)}\n`), contentType);
}

export function documentOf(bytes: Uint8Array, contentType: string): Document {
  const hash = createHash('sha256').update(contentType).update('\0').update(bytes).digest('hex').toUpperCase();
  return { bytes, contentType, hash };
}

/** The document with indentation, for people, and with its own hash. Not cached, because it is rarely requested. */
export function indented({ bytes, contentType }: Document): Document {
  return documentOf(encodeJson(parseJson(Buffer.from(bytes).toString()), true), contentType);
}

/**
 * For documents that may change at the next start of the server: clients cache them but must validate them each time.
 */
const REVALIDATE = { 'cache-control': 'no-cache, private' } as const;

/** Answers with the document, or with 304 if the client has it. */
export function serveDocument(
  request: ApiRequest,
  document: Document,
  caching: Readonly<Record<string, string>> = REVALIDATE,
): ApiResponse {
  // Only JSON is converted afterwards.
  const isJson = document.contentType.startsWith(JSON_TYPE);
  const tag = formTag(document.hash, isJson ? request.headers['accept'] : undefined);
  const headers = { etag: `"${tag}"`, vary: FORM_HEADERS, ...caching };
  if (matchesTag(request.headers['if-none-match'], tag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, 'content-type': document.contentType }, body: document.bytes };
}

/** A handler that allows GET and HEAD only. */
export function readOnly(answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>): Handler {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    return answer(request);
  };
}

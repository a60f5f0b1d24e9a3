import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { lazy } from '../../system/object/lazy.js';
import type { ApiRequest, ApiResponse } from '../handler.js';
import { type Document, documentOf, serveDocument } from './document.js';

/** A file that is served from memory, as it is and compressed. It is compressed when a client first asks for that. */
export interface Packed {
  readonly plain: Document;
  readonly br: () => Promise<Document>;
  readonly gzip: () => Promise<Document>;
}

/**
 * The next levels make files smaller by 7 percent, and take six times as long: half a second for the editor, while
 * somebody waits.
 */
const BROTLI_QUALITY = 9;

export function packed(bytes: Buffer, type: string): Packed {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return {
    plain: documentOf(bytes, type),
    br: lazy(async () => documentOf(await promisify(brotliCompress)(bytes, { params }), type)),
    gzip: lazy(async () => documentOf(await promisify(gzip)(bytes, { level: 9 }), type)),
  };
}

const ENCODINGS = ['br', 'gzip'] as const;

/**
 * Answers in the encoding that the client takes, with brotli before gzip. `headers` must have `vary: Accept-Encoding`.
 */
export async function servePacked(
  request: ApiRequest,
  forms: Packed,
  headers: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const accepted = new Negotiator({ headers: request.headers }).encodings([...ENCODINGS]);
  const encoding = ENCODINGS.find((candidate) => accepted.includes(candidate));
  if (encoding === undefined) return serveDocument(request, forms.plain, headers);
  return serveDocument(request, await forms[encoding](), { ...headers, 'content-encoding': encoding });
}

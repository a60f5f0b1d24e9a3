import type { ApiRequest, ApiResponse } from './handler.js';
import { FORM_HEADERS } from './negotiation/entity-tag.js';

export const JSON_TYPE = 'application/json';

/** An answer in JSON: a line, or indented for people. It may be brought to another form later. */
export function jsonResponse(
  request: ApiRequest,
  status: number,
  value: unknown,
  headers: ApiResponse['headers'] = {},
): ApiResponse {
  const text = JSON.stringify(value, null, wantsPretty(request) ? 2 : undefined);
  return {
    status,
    headers: { 'content-type': JSON_TYPE, vary: FORM_HEADERS, ...headers },
    body: Buffer.from(`${text}\n`),
  };
}

export function encodeJson(value: unknown, pretty = false): Buffer {
  return Buffer.from(pretty ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value));
}

/**
 * Whether the JSON is indented: with `?pretty`, and for curl, wget and browsers (docs/wire-contract.md, section 1.6).
 */
export function wantsPretty({ query, headers }: ApiRequest): boolean {
  const requested = query.get('pretty');
  if (requested !== null) return requested === 'true' || requested === '1' || requested === '';
  return /^(curl|Wget|Mozilla)/.test(headers['user-agent'] ?? '');
}

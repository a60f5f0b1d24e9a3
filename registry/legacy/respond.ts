import type { ApiResponse } from '../../pkg/http/handler.js';

const encoder = new TextEncoder();

/** The headers of every answer of the legacy API. */
const USUAL = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'deny',
  'x-xss-protection': '1; mode=block',
} as const;

export function legacyJson(status: number, value: unknown, headers: ApiResponse['headers'] = {}): ApiResponse {
  return { status, headers: { ...USUAL, ...headers }, body: encoder.encode(JSON.stringify(value)) };
}

/** 200 with a value. */
export function ok(value: unknown, headers: ApiResponse['headers'] = {}): ApiResponse {
  return legacyJson(200, value, headers);
}

/** 200 with `{"message": …}` and the members of `more`. */
export function done(message: string, more: Readonly<Record<string, unknown>> = {}): ApiResponse {
  return ok({ message, ...more });
}

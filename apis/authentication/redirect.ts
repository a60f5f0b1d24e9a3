import type { ApiResponse } from '../../pkg/http/handler.js';

/** Sends the browser to another address. With the status 303, it goes there by GET after a POST. */
export function redirect(location: string, cookies: readonly string[] = [], status: 302 | 303 = 302): ApiResponse {
  const headers = { location, 'cache-control': 'no-store' };
  return { status, headers: cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies } };
}

import type { ApiRequest, ApiResponse, Handler } from '../handler.js';

/** A request to a handler under test. */
export function requestFor(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): ApiRequest {
  const url = new URL(path, 'http://localhost');
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    body: new Uint8Array(),
    user: { name: 'tester', uid: '', groups: [], extra: {} },
    auditId: 'audit',
    signal: new AbortController().signal,
  };
}

interface Routes {
  readonly find: (path: string) => Handler | undefined;
  readonly paths: () => readonly string[];
}

/** Sends a request to the handler of its path. */
export async function send(routes: Routes, request: ApiRequest): Promise<ApiResponse> {
  const handler = routes.find(request.path);
  if (handler === undefined) throw new Error(`There is no route ${request.path} among ${routes.paths().join(', ')}.`);
  return handler(request);
}

export function jsonOf(response: ApiResponse): unknown {
  return JSON.parse(Buffer.from(response.body as Uint8Array).toString('utf8'));
}

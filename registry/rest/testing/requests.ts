import type { ApiRequest } from '../../../pkg/http/handler.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import type { VerbTarget } from '../verb.js';

interface Given {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request that came from nowhere. A body that is no text is sent as JSON. */
export function requestWith({ method = 'GET', query = '', headers = {}, body = '' }: Given): ApiRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const parsed = new URLSearchParams(query);
  return {
    method,
    query: parsed,
    headers,
    body: Buffer.from(text),
    user: { name: 'somebody' },
  } as unknown as ApiRequest;
}

/** The part of a target that options of a request are parsed with. */
export function targetNamed(name: string, kind: object = {}): VerbTarget {
  return { kind, info: { name, namespace: 'here' } } as unknown as VerbTarget;
}

/** The code, and the fields that the causes name, of what is thrown. */
export function refusal(work: () => unknown): readonly (number | string)[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.code, ...(error.details?.causes ?? []).map(({ field }) => field ?? '')];
  }
  return [];
}

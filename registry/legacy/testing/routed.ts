import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { requestTo, type Sent, type Served } from '../../testing/served.js';
import { LegacyCall, type LegacyServices } from '../call.js';
import { renderLegacyError } from '../errors.js';
import type { Organizations } from '../organization.js';
import type { LegacyRouter } from '../router.js';

/** The namespace `hall` is the first organization, which is that of everybody, and `attic` the second. */
export const ORGANIZATIONS: Organizations = {
  byId: (id) => [HALL, ATTIC].find((one) => one.id === id),
  byNamespace: (namespace) => [HALL, ATTIC].find((one) => one.namespace === namespace),
  activeOf: () => HALL,
  mayKnow: () => true,
};
const HALL = { id: 1, namespace: 'hall' };
const ATTIC = { id: 2, namespace: 'attic' };

export const servicesOf = ({ registry }: Pick<Served, 'registry'>): LegacyServices => ({
  registry,
  organizations: ORGANIZATIONS,
});

export function callTo(served: Pick<Served, 'registry'>, params: Readonly<Record<string, string>>, sent: Sent = {}) {
  return new LegacyCall(servicesOf(served), requestTo('GET', '/', sent), params);
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: ApiResponse['headers'] | undefined;
  /** The failure, as the rest of the server sees it. */
  readonly error: unknown;
}

/** Sends a request to a router, without HTTP. The status is 0 if the router leaves the request to others. */
export async function sendTo(router: LegacyRouter, method: string, path: string, sent: Sent = {}): Promise<Answered> {
  const state: ApiRequest & { response?: ApiResponse } = requestTo(method, path, sent);
  const route = router.routes() as unknown as (context: object, next: () => Promise<void>) => Promise<void>;
  try {
    await route({ method, path, state, request: {} }, async () => undefined);
  } catch (error) {
    const { status, body } = error instanceof ApiError ? renderLegacyError(error) : { status: 500, body: EMPTY };
    return { status, body: parsed(body), headers: state.failureHeaders, error };
  }
  const { response } = state;
  return { status: response?.status ?? 0, body: parsed(response?.body), headers: response?.headers, error: undefined };
}

const EMPTY = new Uint8Array();

function parsed(body: ApiResponse['body'] = EMPTY): unknown {
  const text = Buffer.from(body as Uint8Array).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

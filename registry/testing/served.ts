import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { grantsOf, type Permission } from '../../pkg/identity/authz/grants.js';
import type { ListMeta, ObjectMeta } from '../../pkg/kube/meta/types.js';
import { ApiError, type StatusDetails } from '../../pkg/kube/status/status.js';
import type { Kind } from '../kinds/kind.js';
import { namespaceKind } from '../kinds/namespaces.js';
import type { Registry } from '../kinds/registry.js';
import type { Report } from '../kinds/reports.js';
import { resourceHandler } from '../rest/router.js';
import { openRegistry } from './open-registry.js';

export const ANN: UserInfo = { name: 'ann', uid: 'anns', groups: [], extra: {} };
export const ROOT: UserInfo = { name: 'root', uid: 'roots', groups: [MASTERS_GROUP], extra: {} };

export interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a text. */
  readonly body?: unknown;
  readonly user?: UserInfo;
}

/** Any body of the resource API. Tests read the members that they expect. */
export interface Body {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta & ListMeta;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: unknown;
  readonly items: readonly Body[];
  readonly message: string;
  readonly reason: string;
  readonly details: StatusDetails;
}

export interface Received {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  /** The body as JSON. A refusal is a Status. */
  readonly body: Body;
  /** A body that is sent while it is made. */
  readonly stream: AsyncIterable<Uint8Array> | undefined;
}

/** The resource API over kinds, without HTTP, on an empty store in memory. */
export interface Served {
  readonly registry: Registry;
  readonly handler: Handler;
  /** What people were told. */
  readonly reports: Report[];
  /** Milliseconds since the epoch. Tests move it. */
  time: number;
  /** The permissions of everybody but system:masters. */
  permissions: readonly Permission[];
  send(method: string, path: string, sent?: Sent): Promise<Received>;
  close(): Promise<void>;
}

export const START = Date.parse('2026-01-01T00:00:00Z');

export async function serve(kinds: readonly Kind[]): Promise<Served> {
  const resolved = { grants: () => grantsOf(served.permissions), isMember: () => true, isCurrent: () => true };
  const { registry, close } = await openRegistry(kinds, {
    now: () => served.time,
    grants: { resolve: () => resolved },
    own: { namespaces: namespaceKind(kinds), report: (report) => served.reports.push(report) },
  });
  const handler = resourceHandler(registry);
  const answer = async (request: ApiRequest): Promise<ApiResponse> => handler(request);
  const served: Served = {
    registry,
    handler,
    reports: [],
    time: START,
    permissions: [],
    send: async (method, path, sent) => {
      return received(await answer(requestTo(method, path, sent)).catch(refused));
    },
    close,
  };
  return served;
}

/** Sends requests to a handler. A refusal is an answer with a Status. */
export function senderTo(handler: Handler): Served['send'] {
  return async (method, path, sent) => {
    try {
      return received(await handler(requestTo(method, path, sent)));
    } catch (error) {
      return received(refused(error));
    }
  };
}

/** A request to a path, by a member of system:masters unless another user is given. */
export function requestTo(method: string, path: string, sent: Sent = {}): ApiRequest {
  const { query = '', headers = {}, body, user = ROOT } = sent;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    rawHeaders: Object.entries(headers).flat(),
    body: Buffer.from(text),
    user,
    auditId: 'audit',
    signal: new AbortController().signal,
  };
}

function refused(error: unknown): ApiResponse {
  if (!(error instanceof ApiError)) throw error;
  return { status: error.code, headers: {}, body: Buffer.from(JSON.stringify(error.toStatus())) };
}

function received({ status, headers, body = EMPTY }: ApiResponse): Received {
  const isStream = Symbol.asyncIterator in body;
  const text = isStream || body.length === 0 ? '{}' : Buffer.from(body).toString('utf8');
  return { status, headers, body: JSON.parse(text) as Body, stream: isStream ? body : undefined };
}

const EMPTY = new Uint8Array();

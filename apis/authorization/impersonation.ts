import { ANONYMOUS, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/exchange.js';
import { badRequest, forbidden } from '../../pkg/status/errors.js';
import { isMaster } from '../../registry/authorization/authorizer.js';
import type { Registry } from '../../registry/registry.js';
import { awaitCaller } from '../../registry/rest/freshness.js';
import { subjectNamed } from './subjects.js';

const PREFIX = 'impersonate-';
const EXTRA = 'impersonate-extra-';

/** Lets server administrators act as somebody else (`kubectl --as`): from here on the request is that caller's. */
export function impersonating(handler: Handler, registry: Registry, domain: string): Handler {
  const asOther = async (request: ApiRequest, wanted: UserInfo): Promise<ApiResponse> => {
    await awaitCaller(registry.cacher, request);
    refuseUnlessMaster(request.user, wanted.name);
    const subject = subjectNamed(registry.reader, domain, wanted);
    return handler(requestAs(request, vouchedFor(subject, request.user)));
  };
  return (request) => {
    const wanted = wantedUser(request);
    return wanted === undefined ? handler(request) : asOther(request, wanted);
  };
}

/** They may act only as long as whoever acts as them. */
function vouchedFor(subject: UserInfo, { stillValid }: UserInfo): UserInfo {
  return stillValid === undefined ? subject : { ...subject, stillValid };
}

/** The same request of another caller. Field by field: a request may make its parts when they are asked for. */
function requestAs(request: ApiRequest, user: UserInfo): ApiRequest {
  const { method, path, query, headers, rawHeaders, body, auditId, signal, client } = request;
  return { method, path, query, headers, rawHeaders, body, auditId, signal, user, ...(client && { client }) };
}

/** Throws 400 for groups, a uid or extras without a user. */
function wantedUser({ headers, rawHeaders }: ApiRequest): UserInfo | undefined {
  const asked = askedFor(headers);
  if (asked.length === 0) return undefined;
  const name = headers['impersonate-user'] ?? '';
  if (name === '') throw badRequest(`requested ${asked.join(', ')} without impersonating a user`);
  const lines = linesOf(rawHeaders);
  const extra = asked
    .filter((header) => header.startsWith(EXTRA))
    .map((header) => [decodeKey(header.slice(EXTRA.length)), lines.get(header) ?? NOTHING] as const);
  return {
    name,
    uid: headers['impersonate-uid'] ?? '',
    groups: completed(name, lines.get('impersonate-group') ?? NOTHING),
    extra: Object.fromEntries(extra),
  };
}

/** As Kubernetes does: callers are authenticated, unless it is nobody who is named, or they are said not to be. */
function completed(name: string, groups: readonly string[]): readonly string[] {
  const implied = name === ANONYMOUS.name ? UNAUTHENTICATED_GROUP : AUTHENTICATED_GROUP;
  return groups.includes(implied) || groups.includes(UNAUTHENTICATED_GROUP) ? groups : [...groups, implied];
}

const NOTHING: readonly string[] = [];

/** Looked at in every request, and hardly ever there. */
function askedFor(headers: ApiRequest['headers']): readonly string[] {
  let asked: string[] | undefined;
  for (const name in headers) {
    if (!name.startsWith(PREFIX) || headers[name] === undefined) continue;
    asked ??= [];
    asked.push(name);
  }
  return asked ?? NOTHING;
}

/** The values of each header, by lower-case name. A line is one value: groups and extras hold commas of their own. */
function linesOf(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    const values = lines.get(name) ?? [];
    lines.set(name, values);
    values.push(rawHeaders[at + 1] ?? '');
  }
  return lines;
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function refuseUnlessMaster(user: UserInfo, name: string): void {
  if (isMaster(user)) return;
  const why = `User ${JSON.stringify(user.name)} cannot impersonate resource "users" in API group "" at the cluster scope`;
  throw forbidden({ group: '', resource: 'users' }, name.slice(0, 300), why);
}

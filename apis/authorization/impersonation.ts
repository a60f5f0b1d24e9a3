import type { ApiRequest } from '../../pkg/http/handler.js';
import type { Impersonation } from '../../pkg/http/middleware/impersonate.js';
import { ANONYMOUS, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { badRequest, forbidden } from '../../pkg/kube/status/errors.js';
import { isMaster } from '../../registry/kinds/authorizer.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { awaitCaller } from '../../registry/rest/options/freshness.js';
import { subjectNamed } from './subjects.js';

const PREFIX = 'impersonate-';
const EXTRA = 'impersonate-extra-';

/** Lets server administrators act as another user (`kubectl --as`). */
export function impersonation(registry: Registry, domain: string): Impersonation {
  const subjectFor = async (request: ApiRequest, wanted: UserInfo): Promise<UserInfo> => {
    await awaitCaller(registry.cacher, request);
    refuseUnlessMaster(request.user, wanted.name);
    return vouchedFor(subjectNamed(registry.reader, domain, wanted), request.user);
  };
  return (request) => {
    if (!request.rawHeaders.some(isOfImpersonation)) return undefined;
    const wanted = wantedUser(request);
    return wanted && subjectFor(request, wanted);
  };
}

/** The impersonated user is valid only while the administrator is. */
function vouchedFor(subject: UserInfo, { stillValid }: UserInfo): UserInfo {
  return stillValid === undefined ? subject : { ...subject, stillValid };
}

/** The user whom the headers name. Throws 400 for groups, a uid or extras without a user. */
function wantedUser(request: ApiRequest): UserInfo | undefined {
  const { headers } = request;
  const requested = askedFor(headers);
  if (requested.length === 0) return undefined;
  const name = headers['impersonate-user'] ?? '';
  if (name === '') throw badRequest(`requested ${requested.join(', ')} without impersonating a user`);
  const lines = linesOf(request.rawHeaders);
  const extra = requested
    .filter((header) => header.startsWith(EXTRA))
    .map((header) => [decodeKey(header.slice(EXTRA.length)), lines.get(header) ?? NOTHING] as const);
  return {
    name,
    uid: headers['impersonate-uid'] ?? '',
    groups: completed(name, lines.get('impersonate-group') ?? NOTHING),
    extra: Object.fromEntries(extra),
  };
}

/**
 * Adds the group that Kubernetes implies: authenticated, unless the user is anonymous or the request names the
 * unauthenticated group.
 */
function completed(name: string, groups: readonly string[]): readonly string[] {
  const implied = name === ANONYMOUS.name ? UNAUTHENTICATED_GROUP : AUTHENTICATED_GROUP;
  return groups.includes(implied) || groups.includes(UNAUTHENTICATED_GROUP) ? groups : [...groups, implied];
}

const NOTHING: readonly string[] = [];

/** The impersonation headers of a request. */
function askedFor(headers: ApiRequest['headers']): readonly string[] {
  return Object.keys(headers).filter((name) => name.startsWith(PREFIX) && headers[name] !== undefined);
}

/**
 * Looks at the lines of every request, because few have such headers. To list the names of all headers takes four times
 * as long.
 */
function isOfImpersonation(text: string, index: number): boolean {
  return index % 2 === 0 && text.length > PREFIX.length && text.slice(0, PREFIX.length).toLowerCase() === PREFIX;
}

/**
 * The values of each header, by lower-case name. Each line is one value, because groups and extras may contain commas.
 */
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

import type { ApiRequest } from '../../pkg/http/handler.js';
import { unauthorized } from '../../pkg/status/errors.js';
import { plainFailure } from './errors.js';

/** An organization. The legacy API identifies it by a number, and the resource API by a namespace. */
export interface Organization {
  readonly id: number;
  readonly namespace: string;
}

/** Looks up organizations. */
export interface Organizations {
  byId(id: number): Organization | undefined;
  byNamespace(namespace: string): Organization | undefined;
  /** The organization of requests that name none. */
  activeOf(user: ApiRequest['user']): Organization | undefined;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):/;

export function isServiceAccount({ name }: ApiRequest['user']): boolean {
  return SERVICE_ACCOUNT.test(name);
}

/**
 * The organization of a request: `X-Grafana-Org-Id`, `?orgId=`, or the caller's active organization. Throws 404 if it does not exist. Throws
 * 401 if a service account names an organization other than its own, whether that one exists or not.
 */
export function organizationOf(request: ApiRequest, organizations: Organizations): Organization {
  const own = SERVICE_ACCOUNT.exec(request.user.name)?.[1];
  const asked = askedFor(request);
  const found =
    asked === undefined
      ? own === undefined
        ? organizations.activeOf(request.user)
        : organizations.byNamespace(own)
      : organizations.byId(asked);
  if (own !== undefined && asked !== undefined && found?.namespace !== own) throw unauthorized(...MISMATCH);
  if (found === undefined) throw plainFailure(404, 'Organization not found');
  return found;
}

const MISMATCH = ['API key does not belong to the requested organization', 'api-key.organization-mismatch'] as const;

/** The number that the request names. 0 and an empty value count as none. */
function askedFor({ headers, query }: ApiRequest): number | undefined {
  const text = headers['x-grafana-org-id'] || query.get('orgId') || '';
  if (text === '' || text === '0') return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) throw plainFailure(400, 'orgId is invalid');
  return Number(text);
}

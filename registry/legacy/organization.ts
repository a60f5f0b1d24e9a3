import type { ApiRequest } from '../../pkg/http/exchange.js';
import { unauthorized } from '../../pkg/status/errors.js';
import { plainFailure } from './errors.js';

/** An organization: what the legacy interface calls by a number and the resource API by a namespace. */
export interface Organization {
  readonly id: number;
  readonly namespace: string;
}

/** How organizations are found. */
export interface Organizations {
  byId(id: number): Organization | undefined;
  byNamespace(namespace: string): Organization | undefined;
  /** The one that the caller works in unless they say otherwise. */
  activeOf(user: ApiRequest['user']): Organization | undefined;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):/;

export function isServiceAccount({ name }: ApiRequest['user']): boolean {
  return SERVICE_ACCOUNT.test(name);
}

/**
 * The organization of a request: `X-Grafana-Org-Id`, `?orgId=`, or the caller's active one. Throws 404 for one that does not exist, 401 for
 * a service account's request for another than its own: whether there is one is not told.
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

/** 0 and none: not asked for. */
function askedFor({ headers, query }: ApiRequest): number | undefined {
  const text = headers['x-grafana-org-id'] || query.get('orgId') || '';
  if (text === '' || text === '0') return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) throw plainFailure(400, 'orgId is invalid');
  return Number(text);
}

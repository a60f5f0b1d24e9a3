import type { ApiRequest } from '../../pkg/http/handler.js';
import { unauthorized } from '../../pkg/kube/status/errors.js';
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
  /** Whether the caller may learn that the organization exists. */
  mayKnow(user: ApiRequest['user'], organization: Organization): boolean;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):/;

export function isServiceAccount({ name }: ApiRequest['user']): boolean {
  return SERVICE_ACCOUNT.test(name);
}

/**
 * The organization of a request: the namespace of its path, `X-Grafana-Org-Id`, `?orgId=`, or the caller's active
 * organization. Throws 404 if it does not exist, and if the caller may not learn that it exists. Throws 401 if a
 * service account names an organization other than its own, whether that one exists or not.
 */
export function organizationOf(request: ApiRequest, organizations: Organizations, namespace?: string): Organization {
  const { user } = request;
  const own = SERVICE_ACCOUNT.exec(user.name)?.[1];
  const requested = namespace ?? askedFor(request);
  if (requested === undefined)
    return known(own === undefined ? organizations.activeOf(user) : organizations.byNamespace(own));
  const organization =
    typeof requested === 'string' ? organizations.byNamespace(requested) : organizations.byId(requested);
  if (own !== undefined && organization?.namespace !== own) throw unauthorized(...MISMATCH);
  return known(
    own !== undefined || (organization && organizations.mayKnow(user, organization)) ? organization : undefined,
  );
}

function known(organization: Organization | undefined): Organization {
  if (organization === undefined) throw plainFailure(404, 'Organization not found');
  return organization;
}

const MISMATCH = ['API key does not belong to the requested organization', 'api-key.organization-mismatch'] as const;

/**
 * The number that the request names. 0 and an empty value count as none. Throws 400 if the header and the parameter
 * name two organizations.
 */
function askedFor({ headers, query }: ApiRequest): number | undefined {
  const texts = [headers['x-grafana-org-id'] ?? '', query.get('orgId') ?? ''];
  const [first, second = first] = texts.filter((text) => text !== '' && text !== '0').map(numberOf);
  if (first !== second) throw plainFailure(400, 'X-Grafana-Org-Id and orgId name two organizations: send one of them');
  return first;
}

function numberOf(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw plainFailure(400, 'orgId is invalid');
  return Number(text);
}

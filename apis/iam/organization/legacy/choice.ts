import type { UserInfo } from '../../../../pkg/authn/user.js';
import type { KubeObject } from '../../../../pkg/meta/types.js';
import type { KindEnvironment } from '../../../../registry/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { Organization, Organizations } from '../../../../registry/legacy/organization.js';
import { organizationKey } from '../../active-organization.js';
import { DEFAULT_ORGANIZATION } from '../../names.js';

/** Finds the organizations of requests to the legacy API. Each is a namespace with a number. */
export function organizationChoice(call: LegacyCall, { domain }: KindEnvironment): Organizations {
  const organizations = call.objects('Organization');
  const known = (object: KubeObject | undefined): Organization | undefined =>
    object && { id: organizations.idOf(object), namespace: object.metadata.name };
  const byNamespace = (namespace: string): Organization | undefined => known(organizations.find(namespace));
  return {
    byId: (id) => known(organizations.findById(id)),
    byNamespace,
    activeOf: (user) => byNamespace(activeName(user, domain)),
  };
}

/** Requests of callers without an organization are about the first one, in which they have no permissions. */
function activeName({ extra }: UserInfo, domain: string): string {
  return extra[organizationKey(domain)]?.[0] ?? DEFAULT_ORGANIZATION;
}

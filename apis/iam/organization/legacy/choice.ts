import type { UserInfo } from '../../../../pkg/identity/authn/user.js';
import { isTerminating, type KubeObject } from '../../../../pkg/kube/meta/types.js';
import { newAttributes } from '../../../../registry/kinds/authorizer.js';
import type { KindEnvironment } from '../../../../registry/kinds/kind.js';
import { resourceName } from '../../../../registry/kinds/names.js';
import { INTERNAL_ID_INDEX, type Registry } from '../../../../registry/kinds/registry.js';
import type { Organization, Organizations } from '../../../../registry/legacy/organization.js';
import { organizationKey } from '../../active-organization.js';
import { DEFAULT_ORGANIZATION, isUser } from '../../names.js';
import { isSuspended } from '../../organizationbinding/schema.js';

/** Finds the organizations of requests to the legacy API. Each is a namespace with a number. */
export function organizationChoice(
  { compiled, reader, authorizer }: Registry,
  { domain }: KindEnvironment,
): Organizations {
  const kind = compiled.get('iam/Organization');
  const { qualified, ownedKeys } = kind;
  const extraKey = organizationKey(domain);
  const known = (object: KubeObject | undefined): Organization | undefined =>
    object && { id: Number(object.metadata.labels?.[ownedKeys.internalId] ?? 0), namespace: object.metadata.name };
  const byNamespace = (namespace: string): Organization | undefined => known(reader.get(qualified, '', namespace));
  const isMember = (user: UserInfo, namespace: string): boolean => {
    const binding = reader.get(resourceName('iam/organizationbindings', domain), namespace, user.uid);
    return binding !== undefined && !isTerminating(binding) && !isSuspended(binding) && isUser(user, user.uid);
  };
  const mayView = (user: UserInfo, namespace: string): boolean => {
    const object = reader.get(qualified, '', namespace);
    const attributes = object && newAttributes(kind, object);
    return authorizer.hasAction({ user, verb: 'get', kind, namespace: '' }, 'orgs:read', attributes, reader);
  };
  return {
    byId: (id) => {
      const [found] = reader.range(qualified, INTERNAL_ID_INDEX, [id], 1);
      return found === undefined || isTerminating(found) ? undefined : known(found);
    },
    byNamespace,
    // Requests of callers without an organization are about the first one, in which they have no permissions.
    activeOf: ({ extra }) => byNamespace(extra[extraKey]?.[0] ?? DEFAULT_ORGANIZATION),
    // The name of an organization may tell whose it is. Every server has the first one, under the same name.
    mayKnow: (user, { namespace }) =>
      namespace === DEFAULT_ORGANIZATION || isMember(user, namespace) || mayView(user, namespace),
  };
}

import type { KubeObject } from '../../../../pkg/meta/types.js';
import { type KindEnvironment, kindNamed } from '../../../../registry/kind.js';
import type { Organization, Organizations } from '../../../../registry/legacy/organization.js';
import { INTERNAL_ID_INDEX, type Registry } from '../../../../registry/registry.js';
import { organizationKey } from '../../active-organization.js';
import { DEFAULT_ORGANIZATION } from '../../names.js';

/** Finds the organizations of requests to the legacy API. Each is a namespace with a number. */
export function organizationChoice({ kinds, reader }: Registry, { domain }: KindEnvironment): Organizations {
  const { qualified, ownedKeys } = kindNamed(kinds, 'Organization');
  const extraKey = organizationKey(domain);
  const known = (object: KubeObject | undefined): Organization | undefined =>
    object && { id: Number(object.metadata.labels?.[ownedKeys.internalId] ?? 0), namespace: object.metadata.name };
  const byNamespace = (namespace: string): Organization | undefined => known(reader.get(qualified, '', namespace));
  return {
    byId: (id) => known(reader.range(qualified, INTERNAL_ID_INDEX, [id], 1)[0]),
    byNamespace,
    // Requests of callers without an organization are about the first one, in which they have no permissions.
    activeOf: ({ extra }) => byNamespace(extra[extraKey]?.[0] ?? DEFAULT_ORGANIZATION),
  };
}

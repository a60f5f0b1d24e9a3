import { createHash } from 'node:crypto';
import type { ApiGroup, ApiResource, ApiVersion } from './resource.js';

/** `/apis` for clients without aggregated discovery. It does not list the core group. */
export function apiGroupList(groups: readonly ApiGroup[]): unknown {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(describeGroup) };
}

/** `/apis/<group>`. */
export function apiGroup(group: ApiGroup): unknown {
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) };
}

/** `/api`: the versions of the core group. */
export function apiVersions(core: ApiGroup | undefined): unknown {
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [],
  };
}

/** `/apis/<group>/<version>`. */
export function apiResourceList({ groupVersion, resources }: ApiVersion): unknown {
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: resources.flatMap(describeResource) };
}

function describeGroup({ name, versions }: ApiGroup): Readonly<Record<string, unknown>> {
  const described = versions.map(({ groupVersion, version }) => ({ groupVersion, version }));
  return { name, versions: described, preferredVersion: described[0] };
}

function describeResource(resource: ApiResource): readonly unknown[] {
  const { shortNames = [], categories = [], subresources = [] } = resource;
  const namespaced = resource.scope === 'Namespaced';
  const own = {
    name: resource.resource,
    singularName: resource.singular,
    namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(resource.verbs.includes('list') ? { storageVersionHash: storageVersionHash(resource) } : {}),
  };
  const below = subresources.map((sub) => ({
    name: `${resource.resource}/${sub.name}`,
    singularName: '',
    namespaced,
    ...(sub.kind === undefined ? {} : { group: sub.kind.group, version: sub.kind.version }),
    kind: sub.kind?.kind ?? resource.kind,
    verbs: sub.verbs,
  }));
  return resource.verbs.length === 0 ? below : [own, ...below];
}

/** A hash that changes when objects must be stored again. Clients only compare it for equality. */
function storageVersionHash({ group, version, kind }: ApiResource): string {
  const name = `${group}/${version}/${kind}`;
  return createHash('sha256').update(name).digest().subarray(0, 8).toString('base64');
}

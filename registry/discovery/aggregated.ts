import type { ApiGroup, ApiResource, ApiVersion } from './resource.js';

export type AggregatedVersion = 'v2' | 'v2beta1';

/** Clients take an answer for aggregated only with these parameters; without them they ask for each group on its own. */
export function aggregatedContentType(version: AggregatedVersion): string {
  return `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

/** apidiscovery.k8s.io APIGroupDiscoveryList: everything that is served, in one document. */
export function aggregatedDiscovery(groups: readonly ApiGroup[], version: AggregatedVersion): unknown {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({ metadata: { name }, versions: versions.map(discoverVersion) })),
  };
}

function discoverVersion({ version, resources }: ApiVersion): unknown {
  return { version, resources: resources.map(discoverResource), freshness: 'Current' };
}

function discoverResource(resource: ApiResource): unknown {
  const { group, version, kind, shortNames = [], categories = [], subresources = [] } = resource;
  const responseKind = { group, version, kind };
  return {
    resource: resource.resource,
    responseKind,
    scope: resource.scope,
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map((sub) => ({
            subresource: sub.name,
            responseKind: sub.kind ?? responseKind,
            verbs: sub.verbs,
          })),
        }),
  };
}

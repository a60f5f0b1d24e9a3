import type { ApiGroup, ApiResource, ApiSubresource, ApiVersion } from './resource.js';

export type AggregatedVersion = 'v2' | 'v2beta1';

/** Clients recognize an aggregated answer by these parameters. Without them, they ask for each group separately. */
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

/**
 * Kubernetes' mark of a resource of which only subresources are served. Clients skip the resource and read its
 * subresources.
 */
const NO_KIND = { group: '', version: '', kind: '' };

function discoverResource(resource: ApiResource): unknown {
  const { shortNames = [], categories = [], subresources = [] } = resource;
  return {
    resource: resource.resource,
    responseKind: resource.verbs.length === 0 ? NO_KIND : responseKind(resource),
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
            responseKind: responseKind(sub.kind ?? resource),
            verbs: sub.verbs,
          })),
        }),
  };
}

function responseKind({ group, version, kind }: NonNullable<ApiSubresource['kind']>): unknown {
  return { group, version, kind };
}

import type { ApiResource } from '../resource.js';
import { discoveryRoutes } from '../routes.js';

export const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
export const V2BETA1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
export const KUBECTL = `${V2},${V2BETA1},application/json`;

export const VERBS = ['create', 'delete', 'get', 'list', 'watch'];
export const FOLDERS: ApiResource = {
  group: 'folder.svc.app',
  version: 'v1beta1',
  kind: 'Folder',
  resource: 'folders',
  singular: 'folder',
  scope: 'Namespaced',
  verbs: VERBS,
  shortNames: ['fo'],
  categories: ['all'],
};
export const REVIEWS: ApiResource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  resource: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  scope: 'Cluster',
  verbs: ['create'],
};
export const HIDDEN: ApiResource = { ...FOLDERS, kind: 'Token', resource: 'tokens', singular: 'token', served: false };
export const TEAMS: ApiResource = {
  ...FOLDERS,
  group: 'iam.svc.app',
  kind: 'Team',
  resource: 'teams',
  singular: 'team',
  shortNames: [],
  categories: [],
  subresources: [
    { name: 'status', verbs: ['get', 'patch'] },
    { name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] },
  ],
};

/** Made again for each request, so that no test depends on what another one has read. */
export const routes = () => discoveryRoutes(() => [FOLDERS, HIDDEN, REVIEWS, TEAMS]);

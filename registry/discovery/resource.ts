import { apiVersionOf } from '../../pkg/kube/meta/types.js';

/** A part of an object with verbs of its own: `status`, `scale`, `token`. */
export interface ApiSubresource {
  readonly name: string;
  /** The kind of its bodies and answers. Absent: the kind of the resource. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

/** A resource for discovery. A `Kind` is one. Resources without storage, such as selfsubjectreviews, are plain data. */
export interface ApiResource {
  /** `''` is the core group, served below `/api`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural, lower case. */
  readonly resource: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Empty if only its subresources are served. */
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly ApiSubresource[];
  /** Absent is true. Discovery leaves out a resource that is not served. */
  readonly served?: boolean;
}

export interface ApiVersion<R extends ApiResource = ApiResource> {
  readonly group: string;
  readonly version: string;
  /** `group/version`, or the version alone in the core group. */
  readonly groupVersion: string;
  readonly resources: readonly R[];
}

export interface ApiGroup<R extends ApiResource = ApiResource> {
  readonly name: string;
  /** The preferred version is the first. */
  readonly versions: readonly ApiVersion<R>[];
}

/** Served resources by group, in the order in which groups first occur, the versions most stable first. */
export function groupsOf<R extends ApiResource>(resources: readonly R[]): readonly ApiGroup<R>[] {
  const served = resources.filter((resource) => resource.served !== false);
  refuseDuplicates(served);
  const byGroup = groupedBy(served, ({ group }) => group);
  return [...byGroup].map(([name, own]) => ({ name, versions: versionsOf(name, own) }));
}

function versionsOf<R extends ApiResource>(group: string, own: readonly R[]): readonly ApiVersion<R>[] {
  const byVersion = groupedBy(own, ({ version }) => version);
  return [...byVersion]
    .sort(([a], [b]) => byStability(a, b))
    .map(([version, resources]) => ({ group, version, groupVersion: apiVersionOf({ group, version }), resources }));
}

/** Takes linear time, because there may be hundreds of groups. */
function groupedBy<R>(resources: readonly R[], keyOf: (resource: R) => string): ReadonlyMap<string, readonly R[]> {
  const groups = new Map<string, R[]>();
  for (const resource of resources) {
    const same = groups.get(keyOf(resource));
    if (same === undefined) groups.set(keyOf(resource), [resource]);
    else same.push(resource);
  }
  return groups;
}

/** Kubernetes' version priority: v2, v1, v1beta2, v1beta1, v1alpha1, then anything else by name. */
export function byStability(a: string, b: string): number {
  const [x, y] = [priorityOf(a), priorityOf(b)];
  const difference = x.map((part, index) => (y[index] ?? 0) - part).find((part) => part !== 0);
  return difference ?? a.localeCompare(b, 'en');
}

/** Kubernetes' form of a version: `v1`, `v1beta1`. */
export const API_VERSION = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

function priorityOf(version: string): readonly number[] {
  const match = API_VERSION.exec(version);
  if (match === null) return [0, 0, 0];
  const stability = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1;
  return [stability, Number(match[1]), Number(match[3] ?? '0')];
}

function refuseDuplicates(resources: readonly ApiResource[]): void {
  const seen = new Set<string>();
  for (const { group, version, resource } of resources) {
    const path = `${apiVersionOf({ group, version })}/${resource}`;
    if (seen.has(path)) throw new Error(`The resource ${path} is defined twice.`);
    seen.add(path);
  }
}

import { computed, signal } from '@preact/signals';
import { call } from './api.js';

/** A kind that the server serves, in one version. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The plural name, as in paths. */
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  /** Whether the server prefers this version of its group. */
  readonly isPreferred: boolean;
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface AggregatedGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly { readonly version: string; readonly resources?: readonly AggregatedResource[] }[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All that the server serves. Empty until `loadResources` has ended. */
export const resources = signal<readonly Resource[]>([]);

/** The kinds that can be listed, each in the preferred version, in the order of their names. */
export const listed = computed(() =>
  resources.value
    .filter(({ isPreferred, verbs }) => isPreferred && verbs.includes('list'))
    .sort((a, b) => a.kind.localeCompare(b.kind)),
);

export async function loadResources(): Promise<void> {
  const [core, named] = await Promise.all(['/api', '/apis'].map((path) => groupsAt(path)));
  const all = [...(core ?? []), ...(named ?? [])];
  // A page that shows the same kinds as before is not drawn again.
  if (JSON.stringify(all) !== JSON.stringify(resources.peek())) resources.value = all;
}

async function groupsAt(path: string): Promise<readonly Resource[]> {
  const { body } = await call<{ readonly items: readonly AggregatedGroup[] }>('GET', path, { accept: AGGREGATED });
  return body.items.flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources: all = [] }, index) =>
      all.map(
        (one): Resource => ({
          group,
          version,
          resource: one.resource,
          kind: one.responseKind.kind,
          singular: one.singularResource,
          shortNames: one.shortNames ?? [],
          categories: one.categories ?? [],
          isNamespaced: one.scope === 'Namespaced',
          verbs: one.verbs,
          subresources: (one.subresources ?? []).map(({ subresource }) => subresource),
          isPreferred: index === 0,
        }),
      ),
    ),
  );
}

/** The resource with this plural name, in this version or in the preferred one. */
export function resourceNamed(group: string, resource: string, version?: string): Resource | undefined {
  return resources.value.find(
    (one) =>
      one.group === group &&
      one.resource === resource &&
      (version === undefined ? one.isPreferred : one.version === version),
  );
}

/** The group of an `apiVersion`. The core group has no name. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** The resource of an `apiVersion` and a `kind`. */
export function resourceOf(apiVersion: string, kind: string): Resource | undefined {
  const [first = '', second] = apiVersion.split('/');
  const [group, version] = second === undefined ? ['', first] : [first, second];
  return resources.value.find((one) => one.group === group && one.version === version && one.kind === kind);
}

/**
 * The domain of the server, which ends its own groups and begins its own keys: `svc.app` of `iam.svc.app`. Discovery
 * lists the kinds of the server before those of definitions, so that the first of this name is its own.
 */
export const domain = computed(() => {
  const own = resources.value.find(({ group, resource }) => group.startsWith('iam.') && resource === 'organizations');
  return own?.group.slice('iam.'.length) ?? '';
});

/** Whether a group is one of the server. Nobody can define kinds in these. */
export function isOwnGroup(group: string): boolean {
  return domain.value !== '' && group.endsWith(`.${domain.value}`);
}

/**
 * The resource in the group of the server that begins with this word, whatever its domain is: `folder` for
 * `folder.svc.app`.
 */
export function ownResource(word: string, resource: string): Resource | undefined {
  return listed.value.find(
    (one) => one.resource === resource && one.group.startsWith(`${word}.`) && isOwnGroup(one.group),
  );
}

/** The path of the collection in a namespace, or in all of them. */
export function pathOf({ group, version, resource, isNamespaced }: Resource, namespace = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = isNamespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${resource}`;
}

/** The path of an object. */
export function objectPath(resource: Resource, namespace: string | undefined, name: string): string {
  return `${pathOf(resource, namespace)}/${encodeURIComponent(name)}`;
}

/** A key of the server's own annotations and labels, such as `svc.app/folder`. */
export function ownKey(name: string): string {
  return `${domain.value}/${name}`;
}

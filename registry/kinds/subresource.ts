import type { DescribedResource, DescribedSubresource } from '../openapi/schemas.js';

/** The verbs that a subresource may have. */
export type SubresourceVerb = 'get' | 'create' | 'update' | 'patch' | 'delete';

/** The subresource of kinds with a `status`. The server itself provides it. */
export const STATUS = 'status';

/** Reads and writes the status. A kind that cannot be written has no status to write. */
export function statusSubresource(isWritable: boolean): Subresource {
  return { name: STATUS, verbs: isWritable ? ['get', 'patch', 'update'] : ['get'], handlers: {} };
}

/** A group and version at which clients also look for a subresource. The objects of the kind are not served there. */
export interface SubresourceAlias {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

/**
 * A part of an object with verbs of its own, such as the `token` of a service account. `defineSubresource` makes one.
 */
export interface Subresource extends DescribedSubresource {
  readonly verbs: readonly SubresourceVerb[];
  /** By verb, typed by `defineSubresource`. */
  readonly handlers: Readonly<Partial<Record<SubresourceVerb | 'apply', (call: never) => unknown>>>;
  readonly aliases?: readonly SubresourceAlias[];
}

/** A kind at an alias, with the subresources that are served there. */
interface AliasedKind<Kind> extends SubresourceAlias {
  readonly kind: Kind;
  readonly subresources: readonly Subresource[];
}

export function aliasesOf<Kind extends { readonly subresources: readonly Subresource[] }>(
  kinds: readonly Kind[],
): readonly AliasedKind<Kind>[] {
  return kinds.flatMap((kind) => {
    const byGroupVersion = new Map<string, AliasedKind<Kind>>();
    for (const subresource of kind.subresources) {
      for (const alias of subresource.aliases ?? []) {
        const groupVersion = `${alias.group}/${alias.version}`;
        const subresources = [...(byGroupVersion.get(groupVersion)?.subresources ?? []), subresource];
        byGroupVersion.set(groupVersion, { ...alias, kind, subresources });
      }
    }
    return [...byGroupVersion.values()];
  });
}

/** The aliases for discovery and OpenAPI: resources of which only subresources are served. */
export function aliasResources(
  kinds: readonly (DescribedResource & { readonly subresources: readonly Subresource[] })[],
): readonly DescribedResource[] {
  return aliasesOf(kinds).map(({ group, version, kind, subresources }) => {
    const { kind: name, resource, singular, scope, description } = kind;
    return { group, version, kind: name, resource, singular, scope, verbs: [], description, subresources };
  });
}

import type { Schemas } from '../../pkg/kube/openapi/schema.js';
import type { ApiVersion } from '../discovery/resource.js';
import { rootPath } from '../discovery/routes.js';
import {
  acrossNamespaces,
  collectionOperations,
  itemOperations,
  type Operations,
  type PatchFormats,
  subresourceOperations,
} from './operations.js';
import { NAME, NAMESPACE, type Parameter, PRETTY } from './parameters.js';
import { componentSchemas, type DescribedResource } from './schemas.js';

export type PathItem = Operations & { readonly parameters?: readonly Parameter[] };

export interface OpenApiV3 {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Schemas; readonly securitySchemes: typeof SECURITY_SCHEMES };
  readonly security: typeof SECURITY;
}

/** How scripts prove who they are. Clients may also have a session or a certificate, which they send by themselves. */
export const SECURITY_SCHEMES = {
  BearerToken: { type: 'http', scheme: 'bearer', description: 'A token of a service account, or a JSON Web Token' },
} as const;
export const SECURITY = [{ BearerToken: [] }, {}] as const;

export interface DocumentOptions {
  readonly title: string;
  readonly version: string;
  readonly patches: PatchFormats;
}

/** The document of one group version. */
export function openApiV3(version: ApiVersion<DescribedResource>, options: DocumentOptions): OpenApiV3 {
  const paths = version.resources.flatMap((resource) => pathsOf(rootPath(version), resource, options.patches));
  return {
    openapi: '3.0.0',
    info: { title: options.title, version: options.version },
    paths: Object.fromEntries(paths.filter(([, item]) => hasOperation(item))),
    components: { schemas: componentSchemas(version.resources), securitySchemes: SECURITY_SCHEMES },
    security: SECURITY,
  };
}

/** Clients look up exactly these paths, with `{namespace}` and `{name}`. */
function pathsOf(root: string, resource: DescribedResource, formats: PatchFormats): readonly [string, PathItem][] {
  const everywhere = `${root}/${resource.resource}`;
  if (resource.scope === 'Cluster') return placedPaths(everywhere, [PRETTY], resource, formats);
  return [
    [everywhere, { ...acrossNamespaces(resource), parameters: [PRETTY] }],
    ...placedPaths(`${root}/namespaces/{namespace}/${resource.resource}`, [NAMESPACE, PRETTY], resource, formats),
  ];
}

function placedPaths(
  collection: string,
  parameters: readonly Parameter[],
  resource: DescribedResource,
  formats: PatchFormats,
): readonly [string, PathItem][] {
  const named = [NAME, ...parameters];
  const below = (resource.subresources ?? []).map((subresource): [string, PathItem] => [
    `${collection}/{name}/${subresource.name}`,
    { ...subresourceOperations(resource, subresource, formats), parameters: named },
  ]);
  return [
    [collection, { ...collectionOperations(resource), parameters }],
    [`${collection}/{name}`, { ...itemOperations(resource, formats), parameters: named }],
    ...below,
  ];
}

function hasOperation({ parameters: _, ...operations }: PathItem): boolean {
  return Object.keys(operations).length > 0;
}

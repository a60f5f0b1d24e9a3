import type { Schemas } from '../../pkg/openapi/schema.js';
import type { ApiVersion } from '../discovery/resource.js';
import { rootPath } from '../discovery/routes.js';
import {
  acrossNamespaces,
  collectionOperations,
  itemOperations,
  type Operations,
  type PatchFormats,
} from './operations.js';
import { NAME, NAMESPACE, type Parameter, PRETTY } from './parameters.js';
import { componentSchemas, type DescribedResource } from './schemas.js';

export type PathItem = Operations & { readonly parameters?: readonly Parameter[] };

export interface OpenApiV3 {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Schemas };
}

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
    components: { schemas: componentSchemas(version.resources) },
  };
}

/** Clients look these very paths up: with `{namespace}` and `{name}`, and nothing after them. */
function pathsOf(root: string, resource: DescribedResource, formats: PatchFormats): readonly [string, PathItem][] {
  const cluster = `${root}/${resource.resource}`;
  const collection = collectionOperations(resource);
  const item = itemOperations(resource, formats);
  if (resource.scope === 'Cluster') {
    return [
      [cluster, { ...collection, parameters: [PRETTY] }],
      [`${cluster}/{name}`, { ...item, parameters: [NAME, PRETTY] }],
    ];
  }
  const namespaced = `${root}/namespaces/{namespace}/${resource.resource}`;
  return [
    [cluster, { ...acrossNamespaces(resource), parameters: [PRETTY] }],
    [namespaced, { ...collection, parameters: [NAMESPACE, PRETTY] }],
    [`${namespaced}/{name}`, { ...item, parameters: [NAME, NAMESPACE, PRETTY] }],
  ];
}

function hasOperation({ parameters: _, ...operations }: PathItem): boolean {
  return Object.keys(operations).length > 0;
}

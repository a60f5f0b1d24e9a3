import { call } from '../../lib/api.js';
import type { Resource } from '../../lib/discovery.js';

/** The members of an OpenAPI schema that the console reads. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly allOf?: readonly SchemaNode[];
  readonly $ref?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** The schema of a kind. Its parts refer to others by name. */
export interface KindSchema {
  readonly root: SchemaNode;
  /** The part with its references resolved. */
  whole(node: SchemaNode): SchemaNode;
  /** The part for a field of an object or an item of a list. */
  child(node: SchemaNode, name: string | number): SchemaNode | undefined;
  /** The part at a place below the root. */
  at(path: readonly (string | number)[]): SchemaNode | undefined;
}

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

interface OpenApi {
  readonly components?: { readonly schemas?: Readonly<Record<string, SchemaNode>> };
}

/** Documents by their addresses. A document with another content has another address. */
const documents = new Map<string, Promise<OpenApi>>();

/** The schema that the server publishes for a kind, if there is one. */
export async function loadSchema(resource: Resource): Promise<KindSchema | undefined> {
  const { group, version, kind } = resource;
  const { body } = await call<Index>('GET', '/openapi/v3');
  const address = body.paths[group === '' ? `api/${version}` : `apis/${group}/${version}`]?.serverRelativeURL;
  if (address === undefined) return undefined;
  const document = documents.get(address) ?? call<OpenApi>('GET', address).then((answer) => answer.body);
  documents.set(address, document);
  document.catch(() => documents.delete(address));
  const schemas = (await document).components?.schemas ?? {};
  const root = Object.values(schemas).find((one) =>
    one['x-kubernetes-group-version-kind']?.some(
      (its) => its.group === group && its.version === version && its.kind === kind,
    ),
  );
  return root && kindSchema(root, schemas);
}

export function kindSchema(root: SchemaNode, schemas: Readonly<Record<string, SchemaNode>>): KindSchema {
  const known = new WeakMap<SchemaNode, SchemaNode>();
  const whole = (node: SchemaNode): SchemaNode => {
    if (node.$ref === undefined && node.allOf === undefined) return node;
    const before = known.get(node);
    if (before !== undefined) return before;
    const { $ref, allOf = [], ...own } = node;
    const target = $ref === undefined ? undefined : schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
    const parts = target === undefined ? allOf : [target, ...allOf];
    known.set(node, own);
    const all = parts.map(whole).reduceRight((rest, part) => together(part, rest), own);
    known.set(node, all);
    return all;
  };
  const child = (node: SchemaNode, name: string | number): SchemaNode | undefined => {
    const { items, properties, additionalProperties: others } = whole(node);
    if (typeof name === 'number') return items && whole(items);
    const found = ownOf(properties, name) ?? (typeof others === 'object' ? others : undefined);
    return found && whole(found);
  };
  const at = (path: readonly (string | number)[]): SchemaNode | undefined =>
    path.reduce<SchemaNode | undefined>((node, name) => node && child(node, name), whole(root));
  return { root: whole(root), whole, child, at };
}

/** One schema of two. Members of the second replace those of the first. */
function together(first: SchemaNode, second: SchemaNode): SchemaNode {
  const properties = { ...first.properties, ...second.properties };
  const required = [...(first.required ?? []), ...(second.required ?? [])];
  return {
    ...first,
    ...second,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function ownOf(properties: SchemaNode['properties'], name: string): SchemaNode | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Whether objects of this part may have fields that it does not name. */
export function isOpen({ properties, additionalProperties, ...node }: SchemaNode): boolean {
  if (node['x-kubernetes-preserve-unknown-fields'] === true) return true;
  if (additionalProperties !== undefined) return additionalProperties !== false;
  return properties === undefined;
}

/** The type in words: `array of string`, `"a" | "b"`. */
export function typeOf(schema: KindSchema, node: SchemaNode): string {
  const { type, items, enum: values, format } = schema.whole(node);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (node['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (type === 'array' && items !== undefined) return `array of ${typeOf(schema, items)}`;
  return [type ?? 'any', format].filter(Boolean).join(', ');
}

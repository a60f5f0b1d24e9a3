import type { KindSchema, SchemaNode } from './openapi.js';

export interface TemplateFacts {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined for kinds outside of namespaces. */
  readonly namespace: string | undefined;
}

/** The most characters of a line of a comment. */
const WIDTH = 90;
/** Required fields are written out down to this depth. */
const DEEPEST = 6;

/**
 * The text of a new object: the required fields with empty values, and the optional fields as comments. Descriptions
 * are comments, too.
 */
export function template(schema: KindSchema | undefined, facts: TemplateFacts): string {
  const { apiVersion, kind, namespace } = facts;
  const head = [
    ...comment(schema?.root.description, ''),
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    'metadata:',
    ...comment(schema?.at(['metadata', 'name'])?.description, '  '),
    '  name: ""',
    ...(namespace === undefined ? [] : [`  namespace: ${JSON.stringify(namespace)}`]),
  ];
  const { properties = {}, required = [] } = schema?.root ?? { properties: { spec: {} }, required: [] };
  const rest = Object.entries(properties)
    .filter(([name]) => name === 'spec' || (required.includes(name) && !IDENTITY.has(name)))
    .flatMap(([name, node]) => field(schema, name, node, '', 0));
  return `${[...head, ...rest].join('\n')}\n`;
}

const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function field(
  schema: KindSchema | undefined,
  name: string,
  node: SchemaNode,
  indent: string,
  depth: number,
): readonly string[] {
  const part = schema?.whole(node) ?? node;
  const { description, properties = {}, required = [] } = part;
  const about = comment(description, indent);
  const names = Object.keys(properties);
  if (part.type !== 'object' || depth >= DEEPEST || required.length === 0)
    return [...about, `${indent}${keyText(name)}: ${empty(part)}`, ...optional(schema, part, [], `${indent}  `, depth)];
  const needed = names
    .filter((one) => required.includes(one))
    .flatMap((one) => field(schema, one, properties[one] ?? {}, `${indent}  `, depth + 1));
  return [...about, `${indent}${keyText(name)}:`, ...needed, ...optional(schema, part, required, `${indent}  `, depth)];
}

/** The optional fields as comments, at depth 0 only. */
function optional(
  schema: KindSchema | undefined,
  { properties = {} }: SchemaNode,
  required: readonly string[],
  indent: string,
  depth: number,
): readonly string[] {
  if (depth > 0 || schema === undefined) return [];
  const left = Object.entries(properties).filter(([name]) => !required.includes(name));
  if (left.length === 0) return [];
  const lines = left.flatMap(([name, node]) => {
    const part = schema.whole(node);
    return [...comment(part.description, indent), `${indent}# ${keyText(name)}: ${empty(part)}`];
  });
  return [`${indent}# Optional:`, ...lines];
}

function keyText(name: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(name) ? name : JSON.stringify(name);
}

/** The default, or the first value that is allowed, or an empty value of the type. */
function empty({ type, default: value, enum: values, minimum = 0 }: SchemaNode): string {
  if (value !== undefined) return JSON.stringify(value);
  if (values !== undefined && values.length > 0) return JSON.stringify(values[0]);
  if (type === 'integer' || type === 'number') return String(minimum);
  return type === undefined ? '{}' : (EMPTY[type] ?? '""');
}

const EMPTY: Readonly<Record<string, string>> = { object: '{}', array: '[]', boolean: 'false', string: '""' };

/** A description as lines of comments. */
export function comment(text: string | undefined, indent: string): readonly string[] {
  if (text === undefined) return [];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].filter(Boolean).map((one) => `${indent}# ${one}`);
}

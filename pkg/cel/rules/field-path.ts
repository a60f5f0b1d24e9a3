import { child, key } from '../../structural/cause.js';
import type { JsonSchema } from '../../structural/json-schema.js';
import { valuesOf } from '../schema/shape.js';

/** Each token is a mark, a quoted name, or a name. */
const TOKEN = /[.[\]]|'(?:[^'\\]|\\.)*'|'.*$|[^.[\]]+/gs;

/** The path of a field below the value of a rule as Kubernetes prints it. Undefined if the schema has no such field. */
export function fieldPathOf(text: string, root: JsonSchema): string | undefined {
  const tokens = text.match(TOKEN) ?? [];
  let path = '';
  let schema: JsonSchema | undefined = root;
  for (let i = 0; i < tokens.length; i++) {
    const mark = tokens[i];
    const token = tokens[++i];
    if (token === undefined || (mark !== '.' && mark !== '[')) return undefined;
    const name = mark === '.' ? token : quotedName(token);
    if (name === undefined || (mark === '[' && tokens[++i] !== ']')) return undefined;
    const properties: JsonSchema['properties'] = schema.properties;
    const isNamed: boolean = properties != null;
    schema = isNamed ? (Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined) : valuesOf(schema);
    if (schema === undefined) return undefined;
    path = isNamed ? child(path, name) : key(path, name);
  }
  return path;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function quotedName(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  let isFine = true;
  const name = token.slice(1, -1).replace(/\\(.)/gs, (_, c: string) => {
    const plain = Object.hasOwn(ESCAPES, c) ? ESCAPES[c] : undefined;
    isFine = isFine && plain !== undefined;
    return plain ?? '';
  });
  return isFine ? name : undefined;
}

import { child, key } from './cause.js';
import { ESCAPES } from './escapes.js';
import type { JsonSchema } from './json-schema.js';
import { additionalSchema, hasMembers, propertyOf } from './schema-parts.js';

export interface FoundField {
  /** As in errors: `spec.labels[app]`. */
  readonly path: string;
  readonly firstName: string | undefined;
  /** `undefined` below a map that allows any values. */
  readonly schema: JsonSchema | undefined;
}

export interface NoField {
  readonly problem: string;
}

/**
 * The field that a path such as `.spec['a.b']` names below a schema, or why it names none. Without `brackets`, names
 * are after dots only.
 */
export function fieldPath(text: string, root: JsonSchema, options = { brackets: true }): FoundField | NoField {
  const tokens = tokensOf(text);
  let found: FoundField = { path: '', firstName: undefined, schema: root };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token !== '.' && token !== '[') return { problem: `expected [ or . but got: ${token}` };
    if (token === '[' && !options.brackets) return { problem: 'array notation is not allowed' };
    const name = token === '.' ? dotted(tokens[++i]) : bracketed(tokens[++i]);
    if ('problem' in name) return name;
    const next = step(found, name.name);
    if ('problem' in next) return next;
    found = next;
    if (token === '.') continue;
    const end = tokens[++i];
    if (end === undefined) return { problem: 'unexpected end of JSON path' };
    if (end !== ']') return { problem: `expected ] but got ${end}` };
  }
  return found;
}

type Name = { readonly name: string } | NoField;

function dotted(token: string | undefined): Name {
  return token === undefined ? { problem: 'unexpected end of JSON path' } : { name: token };
}

function bracketed(token: string | undefined): Name {
  if (token === undefined) return { problem: 'unexpected end of JSON path' };
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  return unescaped(token.slice(1, -1));
}

function step({ path, firstName, schema }: FoundField, name: string): FoundField | NoField {
  const problem = 'does not refer to a valid field';
  if (schema === undefined) return { problem };
  if (hasMembers(schema.properties)) {
    const property = propertyOf(schema, name);
    if (property === undefined) return { problem };
    return { path: child(path, name), firstName: firstName ?? name, schema: property };
  }
  if (schema.additionalProperties == null) return { problem };
  return { path: key(path, name), firstName: firstName ?? `[${name}]`, schema: additionalSchema(schema) };
}

/** Dots, brackets, texts in quotes, and the names between them. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfToken(text, start);
    tokens.push(text.slice(start, end));
    start = end;
  }
  return tokens;
}

function endOfToken(text: string, start: number): number {
  if (isDelimiter(text[start])) return start + 1;
  const isQuoted = text[start] === "'";
  for (let i = start + 1; i < text.length; i++) {
    if (!isQuoted && isDelimiter(text[i])) return i;
    if (isQuoted && text[i] === "'" && text[i - 1] !== '\\') return i + 1;
  }
  return text.length;
}

const isDelimiter = (char: string | undefined): boolean => char === '.' || char === '[' || char === ']';

const QUOTABLE: Readonly<Record<string, string>> = { ...ESCAPES, "'": "'" };

function unescaped(text: string): Name {
  let wrong: string | undefined;
  const name = text.replace(/\\(.)/g, (whole, char: string) => {
    const meant = Object.hasOwn(QUOTABLE, char) ? QUOTABLE[char] : undefined;
    if (meant === undefined) wrong = whole;
    return meant ?? '';
  });
  return wrong === undefined ? { name } : { problem: `invalid string literal: invalid escape char ${wrong}` };
}

import type { StatusCause } from '../../status/status.js';

/** What a cause says of the wrong value. Undefined leaves it out. */
export type BadValue = unknown;

/** `Invalid value: "x": detail`, as Kubernetes prints it. */
export function invalid(field: string, value: BadValue, detail: string): StatusCause {
  return cause('FieldValueInvalid', field, withValue('Invalid value', value), detail);
}

export function required(field: string, detail: string): StatusCause {
  return cause('FieldValueRequired', field, 'Required value', detail);
}

export function forbidden(field: string, detail: string): StatusCause {
  return cause('FieldValueForbidden', field, 'Forbidden', detail);
}

export function duplicate(field: string, value: BadValue): StatusCause {
  return cause('FieldValueDuplicate', field, withValue('Duplicate value', value), '');
}

export function notSupported(field: string, value: BadValue, supported: readonly string[]): StatusCause {
  const detail = `supported values: ${supported.map((text) => JSON.stringify(text)).join(', ')}`;
  return cause('FieldValueNotSupported', field, withValue('Unsupported value', value), detail);
}

/** The path of a whole object, as Kubernetes prints it. */
const WHOLE = '<nil>';

function cause(reason: string, field: string, text: string, detail: string): StatusCause {
  return { reason, message: detail === '' ? text : `${text}: ${detail}`, field: field === '' ? WHOLE : field };
}

function withValue(text: string, value: BadValue): string {
  return value === undefined ? text : `${text}: ${goValue(value)}`;
}

function goValue(value: BadValue): string {
  if (typeof value === 'string') return goQuoted(value);
  return typeof value === 'object' ? goJson(value) : String(value);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** As Go's %q. */
export function goQuoted(text: string): string {
  const escaped = [...text].map((c) => ESCAPES[c] ?? (c < ' ' || c === '\x7f' ? hexEscape(c) : c)).join('');
  return `"${escaped}"`;
}

function hexEscape(c: string): string {
  return `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** As Go's json.Marshal. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The path of a member. */
export function child(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The path of an entry of a map, or of an element. */
export function key(path: string, name: string | number): string {
  return `${path}[${name}]`;
}

import { isObject, type Members } from '../../system/object/is-object.js';

const BREAK = '\n';

/**
 * A JSON value as YAML in block style. Every text that some version of YAML could read as something else is quoted. By
 * hand, because js-yaml takes 40 times as long, and this runs while other requests wait.
 */
export function toYaml(value: unknown): string {
  const parts: string[] = [];
  writeBlock(parts, value, BREAK);
  return `${parts.join('').slice(BREAK.length)}${BREAK}`;
}

/** The element of a sequence that has no indentation, such as an item of a list. */
export function toYamlItem(value: unknown): string {
  return toYaml([value]);
}

/** Writes a value after a line break with the indentation of the value. */
function writeBlock(parts: string[], value: unknown, indent: string): void {
  if (Array.isArray(value) && value.length > 0) for (const element of value) writeElement(parts, element, indent);
  else if (isMembers(value)) writeMembers(parts, value, indent, indent);
  else parts.push(indent, scalar(value));
}

/** The first member of an element is on the line of its dash. */
function writeElement(parts: string[], element: unknown, indent: string): void {
  parts.push(indent, '- ');
  if (isMembers(element)) writeMembers(parts, element, `${indent}  `, '');
  else if (Array.isArray(element) && element.length > 0) {
    const inner: string[] = [];
    writeBlock(inner, element, `${indent}  `);
    parts.push(inner.join('').slice(indent.length + 2));
  } else parts.push(scalar(element));
}

function writeMembers(parts: string[], members: Members, indent: string, first: string): void {
  let before = first;
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    parts.push(before, text(key), ':');
    before = indent;
    if (isMembers(value)) writeMembers(parts, value, `${indent}  `, `${indent}  `);
    else if (Array.isArray(value) && value.length > 0) writeBlock(parts, value, indent);
    else parts.push(' ', scalar(value));
  }
}

/** Whether a value is an object that has members. */
function isMembers(value: unknown): value is Members {
  return isObject(value) && Object.keys(value).length > 0;
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? text(value) : (JSON.stringify(value) ?? 'null');
}

/** What every version of YAML reads as text: it begins with a letter, and has no `: `, ` #` or space at its end. */
const PLAIN = /^[A-Za-z_][\w./@-]*(?:[ :=,+][\w./@-]+)*$/;
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|_+)$/i;
/** Line breaks and control characters of YAML that JSON does not escape. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

function text(value: string): string {
  if (value.length < 1000 && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value).replace(UNESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

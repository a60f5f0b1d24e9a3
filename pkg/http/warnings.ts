/**
 * Clients limit the headers of an answer: Python's http.client stops at 100 lines, and nginx at 4 KiB of all headers
 * together.
 */
const MOST_WARNINGS = 10;
const MOST_BYTES = 2048;
/** A warning that does not fit is cut to these characters, without a part of an escape at its end. */
const SHORT = /^(?:\\u[0-9a-f]{4}|\\["\\]|[^\\]){0,256}/;
const PREFIX = '299 - "';

/**
 * `Warning` headers (RFC 7234, section 5.5): code 299, agent `-`. What several items of a list have in common is one
 * warning, with the name of the member: `items[].created`. `responses` bounds them.
 */
export function warningHeaders(warnings: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return warnings.length === 0 ? {} : { warning: ofItems(warnings).map(headerOf) };
}

function headerOf(warning: string): string {
  return `${PREFIX}${quoted(warning)}"`;
}

const ABOUT_FIELD = /^(?:json patch )?(?:unknown|duplicate) field "/;
const INDEX = /\[\d+\]/g;

/** One warning for each name: `unknown field "items[].created"` if several items have it. */
function ofItems(warnings: readonly string[]): readonly string[] {
  const byName = new Map<string, string>();
  for (const warning of warnings) {
    const name = ABOUT_FIELD.test(warning) ? warning.replace(INDEX, '[]') : warning;
    byName.set(name, byName.has(name) ? name : warning);
  }
  return [...byName.values()];
}

/** Ten of the values and 2 KiB at most. The last one tells how many there are more. */
export function boundedWarnings(values: readonly string[]): readonly string[] {
  const distinct = [...new Set(values)];
  const bounded: string[] = [];
  // Its number of digits does not change by the values that fit.
  let remaining = MOST_BYTES - moreOf(distinct.length).length;
  for (const value of distinct) {
    const isLast = bounded.length === distinct.length - 1;
    if (bounded.length === MOST_WARNINGS - (isLast ? 0 : 1)) break;
    const shown = value.length <= remaining ? value : shortened(value);
    if (shown.length > remaining) break;
    remaining -= shown.length;
    bounded.push(shown);
  }
  const more = distinct.length - bounded.length;
  return more === 0 ? bounded : [...bounded, moreOf(more)];
}

function moreOf(count: number): string {
  return headerOf(`and ${count} more`);
}

function shortened(value: string): string {
  const [short = ''] = SHORT.exec(value.slice(PREFIX.length, -1)) ?? [];
  return `${PREFIX}${short}"`;
}

/** Texts that need no escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Escapes the text for a header value, which must be ASCII. Control characters become spaces. */
function quoted(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\\"]/g, '\\$&')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

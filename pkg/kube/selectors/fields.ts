import { badRequest } from '../status/errors.js';

export interface FieldSelector {
  /** True if the selector selects everything. */
  readonly empty: boolean;
  /** `get` returns the text of a supported field, and the empty text for an absent one. */
  matches(get: (field: string) => string): boolean;
  /** The value that the selector requires of a field: `x` for `metadata.name=x`. */
  requiredValue(field: string): string | undefined;
  /** A canonical text: the same for selectors that differ only in the order of terms or in `==` and `=`. */
  toString(): string;
}

interface Term {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

const MAX_TEXT = 64 * 1024;
const MAX_TERMS = 100;

/**
 * Parses Kubernetes' fieldSelector: `a=b`, `a==b` and `a!=b`, separated by commas; `\` escapes `,`, `=` and itself.
 * Throws 400, also for a field that is not `supported`. By hand because no maintained package has Kubernetes' grammar.
 */
export function parseFieldSelector(text: string, supported: ReadonlySet<string>): FieldSelector {
  if (text.length > MAX_TEXT) throw badRequest(`the field selector is longer than ${MAX_TEXT} characters`);
  const terms = splitTerms(text).map(parseTerm);
  if (terms.length > MAX_TERMS) throw badRequest(`the field selector has more than ${MAX_TERMS} terms`);
  for (const { field } of terms) {
    if (!supported.has(field)) throw badRequest(`field label not supported: ${field.slice(0, 100)}`);
  }
  const canonical = terms.map(textOf).sort().join(',');
  return {
    empty: terms.length === 0,
    matches: (get) => terms.every(({ field, equal, value }) => (get(field) === value) === equal),
    requiredValue: (field) => terms.find((term) => term.field === field && term.equal)?.value,
    toString: () => canonical,
  };
}

/** Splits the text at commas that are not escaped, and keeps the escapes. Empty terms are ignored, as in Kubernetes. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms.filter((term) => term !== '');
}

function parseTerm(term: string): Term {
  const operator = /!=|==|=/.exec(term);
  if (operator === null) throw badRequest(`invalid selector: can't understand '${term.slice(0, 100)}'`);
  const value = term.slice(operator.index + operator[0].length);
  return { field: term.slice(0, operator.index), equal: operator[0] !== '!=', value: unescapeValue(value) };
}

function unescapeValue(value: string): string {
  return value.replace(/\\(.?)|=/gs, (found, escaped: string | undefined) => {
    if (found === '=') throw badRequest("invalid field selector: unescaped character in value: '='");
    if (escaped !== undefined && ['\\', ',', '='].includes(escaped)) return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
  });
}

function textOf({ field, equal, value }: Term): string {
  return `${field}${equal ? '=' : '!='}${value.replace(/[\\,=]/g, '\\$&')}`;
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** What Kubernetes prints as it is: letters, marks, numbers, punctuation, symbols and the space. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const plain = /^[ !#-[\]-~]*$/;

export function isPrintable(char: string): boolean {
  return printable.test(char);
}

/** The text in quotes, as Kubernetes prints strings in errors (%q). */
export function quoted(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) out += SHORT[char] ?? (isPrintable(char) ? char : escaped(char));
  return `${out}"`;
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  // Half of a pair is no character, and becomes one in UTF-8.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

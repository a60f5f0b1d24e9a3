/** Longer texts are cut: a schema can have megabytes, and each error can quote a part of it. */
const LONGEST = 32_768;

interface Output {
  text: string;
}

/** JSON as Go writes it: with sorted members, and escapes for the characters that HTML interprets. */
export function jsonText(value: unknown): string {
  const out: Output = { text: '' };
  write(value, out);
  return cut(out.text);
}

export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

const isFull = ({ text }: Output): boolean => text.length > LONGEST;

function write(value: unknown, out: Output): void {
  if (isFull(out)) return;
  if (typeof value === 'string') writeText(value, out);
  else if (Array.isArray(value)) writeAll('[', value, ']', out, (item) => write(item, out));
  else if (typeof value === 'object' && value !== null) writeMembers(value, out);
  else out.text += String(value ?? null);
}

function writeText(text: string, out: Output): void {
  const part = text.slice(0, Math.max(0, LONGEST - out.text.length) + 1);
  out.text += JSON.stringify(part).replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] ?? char);
}

function writeMembers(value: object, out: Output): void {
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  writeAll('{', members, '}', out, ([name, member]) => {
    writeText(name, out);
    out.text += ':';
    write(member, out);
  });
}

function writeAll<T>(open: string, all: readonly T[], close: string, out: Output, one: (value: T) => void): void {
  let separator = open;
  for (const value of all) {
    if (isFull(out)) return;
    out.text += separator;
    separator = ',';
    one(value);
  }
  out.text += separator === open ? `${open}${close}` : close;
}

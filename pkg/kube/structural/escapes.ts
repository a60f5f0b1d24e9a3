/** What the letter after a backslash stands for, in the strings of Go and of CEL. */
export const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** How characters are written that need a backslash between double quotes. */
export const ESCAPED: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ESCAPES).map(([letter, char]) => [char, `\\${letter}`] as const),
  ['"', '\\"'] as const,
]);

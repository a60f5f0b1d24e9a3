const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const ESCAPED: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };
const UNESCAPED = new Map(Object.entries(ESCAPED).map(([text, word]) => [word, text]));
const NAME = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;

/** Whether the name is a word of the language, which is also a name after a dot. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** The name by which expressions call a member: `__namespace__`, `x__dot__y`. Undefined if they cannot. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!NAME.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (text) => `__${ESCAPED[text]}__`);
}

/** The member that expressions call so. */
export function unescapeName(name: string): string | undefined {
  if (!name.includes('__')) return name;
  let isFine = true;
  const text = name.replace(/__([^_]+)__/g, (whole, word: string) => {
    const plain = UNESCAPED.get(word) ?? (RESERVED.has(word) && whole === name ? word : undefined);
    isFine = isFine && plain !== undefined;
    return plain ?? '';
  });
  return isFine ? text : undefined;
}

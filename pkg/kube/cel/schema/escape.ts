const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const ESCAPED: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };
const UNESCAPED = new Map(Object.entries(ESCAPED).map(([text, word]) => [word, text]));
const NAME = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;

/** Whether the name is a reserved word. After a dot, expressions may use it as a name. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** The name that expressions use for a member: `__namespace__`, `x__dot__y`. Undefined if there is none. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!NAME.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (text) => `__${ESCAPED[text]}__`);
}

/** The member that expressions call by this name. Undefined if there is none. */
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

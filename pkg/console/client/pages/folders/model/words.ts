/** Characters of a title that messages repeat. */
const LONGEST = 80;

/** A title within a sentence: not too long, and of a direction of its own, so that it cannot turn the words around it. */
export function quoted(title: string): string {
  const letters = [...title];
  const cut = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : title;
  return `“\u2068${cut}\u2069”`;
}

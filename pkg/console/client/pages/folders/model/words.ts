/** The most characters of a title in a message. */
const LONGEST = 80;

/**
 * A title in quotation marks. It is cut, and isolated so that right-to-left text does not reorder the words around it.
 */
export function quoted(title: string): string {
  const letters = [...title];
  const cut = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : title;
  return `“\u2068${cut}\u2069”`;
}

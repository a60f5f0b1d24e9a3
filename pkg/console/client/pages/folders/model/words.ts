import { withoutOverrides } from '../../../lib/without-overrides.js';

/** The most characters of a title in a message. */
const LONGEST = 80;

/** A title in a sentence. It is cut, and isolated so that right-to-left text does not reorder the words around it. */
export function isolated(title: string): string {
  const letters = [...withoutOverrides(title)];
  const cut = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : letters.join('');
  return `\u2068${cut}\u2069`;
}

/** The same in quotation marks. */
export function quoted(title: string): string {
  return `“${isolated(title)}”`;
}

/** The most reasons that a message has. */
const MOST_REASONS = 10;

/** Ends a message about what was brought back: what was not, and why. */
export function notBack(leftOut: readonly string[]): string {
  if (leftOut.length === 0) return '';
  const more = leftOut.length > MOST_REASONS ? `; and ${leftOut.length - MOST_REASONS} more` : '';
  return ` Not back: ${leftOut.slice(0, MOST_REASONS).join('; ')}${more}`;
}

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const CONTROL_IN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text of one line without characters that a terminal takes as a command, or that change how others are shown. They
 * become escapes as in JSON.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, escaped);
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.replace(CONTROL_IN_LINES, escaped);
}

function escaped(char: string): string {
  const units = Array.from({ length: char.length }, (_, i) => char.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Folds a text for comparisons that ignore case. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

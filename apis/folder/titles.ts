/** Folds a title or a search text, so that the two can be compared. */
export function searched(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Cc}/gu, ' ');
}

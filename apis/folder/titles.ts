/** Most texts need no more than lower case. */
const PRINTABLE = /^[ -~]*$/;

/** Folds a title or a search text, so that the two can be compared. */
export function searched(text: string): string {
  if (PRINTABLE.test(text)) return text.toLowerCase();
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Cc}/gu, ' ');
}

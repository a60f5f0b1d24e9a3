/** Items of a list that is the last member of a document are indented so. */
export const ITEM_LINE = '\n    ';

/** An item of such a list for people, without the line break before it. No text in JSON has a line break of its own. */
export function prettyItem(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', ITEM_LINE);
}

/** JSON of a value in which integers may be bigints, as `parseJson` makes them. JSON.stringify alone would throw. */
export function jsonText(value: unknown, indent?: number): string {
  // No text has this mark by chance.
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, (_, of: unknown) => (typeof of === 'bigint' ? `${mark}${of}` : of), indent);
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

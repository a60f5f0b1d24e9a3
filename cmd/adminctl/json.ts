/** The value of a JSON text; undefined for another text, such as the HTML of a proxy. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

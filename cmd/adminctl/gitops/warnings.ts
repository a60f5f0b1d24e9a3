/** `299 - "text"`, as RFC 7234 §5.5 has it. */
const WARNING = /\d{3} \S+ ("(?:[^"\\]|\\.)*")/g;

/** The texts of the Warning headers of an answer. What is none is left out. */
export function warningsIn(headers: readonly string[]): readonly string[] {
  return headers.flatMap((header) => [...header.matchAll(WARNING)].map(([, quoted = '']) => unquoted(quoted)));
}

/** The server escapes like JSON. What another one escapes otherwise is shown as it is. */
function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

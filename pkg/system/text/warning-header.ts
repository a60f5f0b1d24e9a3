/**
 * A value of the `Warning` header (RFC 7234 §5.5), such as `299 - "text"`. The server sends the code 299 and the agent
 * `-`.
 */
export interface HeaderWarning {
  readonly code: string;
  readonly agent: string;
  readonly text: string;
}

const WARNING = /(\d{3}) (\S+) ("(?:[^"\\]|\\.)*")/g;

/** The warnings in one header. Proxies and browsers join several by commas. What is no warning is left out. */
export function warningsIn(header: string): readonly HeaderWarning[] {
  return [...header.matchAll(WARNING)].map(([, code = '', agent = '', quoted = '']) => ({
    code,
    agent,
    text: unquoted(quoted),
  }));
}

/** The server escapes like JSON. A text with other escapes is shown as it is. */
function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

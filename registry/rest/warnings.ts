/** Kubernetes' budget: 4,096 characters in all, then 256 each (wire contract, section 5.7). */
const BUDGET = 4096;
const SHORT = 256;

/** `Warning` headers (RFC 7234, section 5.5): code 299, agent `-`. */
export function warningHeaders(warnings: readonly string[]): Readonly<Record<string, readonly string[]>> {
  if (warnings.length === 0) return {};
  let spent = 0;
  const values = warnings.map((warning) => {
    const text = spent + warning.length > BUDGET ? warning.slice(0, SHORT) : warning;
    spent += text.length;
    return `299 - "${quoted(text)}"`;
  });
  return { warning: values.slice(0, 100) };
}

/** Header values are ASCII here: anything else is escaped, control characters become spaces. */
function quoted(text: string): string {
  return text
    .replace(/[\\"]/g, '\\$&')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

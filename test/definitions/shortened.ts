/**
 * A message about a definition without the value that is refused. Kubernetes prints all members of a Go type, by the
 * names that they have in Go, and this server says it shortly. Clients look at the reason and the field.
 */
export function shortened(message: unknown): string {
  return String(message)
    .replace(/^Invalid value: (?:[[{].*[\]}]|null): /s, 'Invalid value: {…}: ')
    .replace(/^Invalid value: .*: only \[.*\] fields are allowed/s, 'Invalid value: {…}: only […] fields are allowed');
}

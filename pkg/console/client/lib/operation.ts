/**
 * A word that tells the server which deletions belong together. It is drawn so that it works without TLS, too, where
 * browsers have no randomUUID.
 */
export function newOperation(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

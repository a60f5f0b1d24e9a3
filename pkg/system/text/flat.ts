const last = { unit: 0 };

/**
 * The same text, in one piece. V8 keeps a text that was put together as a tree of its parts until somebody reads it,
 * which takes several times as much memory. For texts that are kept for long.
 */
export function flat(text: string): string {
  // Reading a character makes it one piece. The result is stored, so that the compiler does not leave the read out.
  last.unit = text.charCodeAt(0);
  return text;
}

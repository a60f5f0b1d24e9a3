const METADATA = '"metadata":{';
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Brackets differ from braces by one bit. */
const [BRACE, OPEN, CLOSE] = [0x20, 0x7b, 0x7d];

/**
 * Where the first member of the metadata of an object begins in its text or bytes, or a negative number if it has no
 * metadata. Members of the object that stand before it may have metadata of their own: an embedded resource, or
 * whatever a definition allows.
 */
export function placeInMetadata(text: string | Buffer): number {
  const first = text.indexOf(METADATA);
  if (first < 0 || isOutermost(text, first)) return first < 0 ? first : first + METADATA.length;
  return outermost(typeof text === 'string' ? text : text.toString('latin1'));
}

/** True if it certainly is. Nearly always it is the only one, or only apiVersion and kind are before it. */
function isOutermost(text: string | Buffer, at: number): boolean {
  return text.lastIndexOf('{', at) <= 1 || text.indexOf(METADATA, at + 1) < 0;
}

function outermost(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (depth === 1 && text.startsWith(METADATA, at)) return at + METADATA.length;
      at = endOfText(text, at);
    } else if ((code | BRACE) === OPEN) depth++;
    else if ((code | BRACE) === CLOSE) depth--;
  }
  return -1;
}

function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

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
function isOutermost(text: string | Buffer, offset: number): boolean {
  return text.lastIndexOf('{', offset) <= 1 || text.indexOf(METADATA, offset + 1) < 0;
}

function outermost(text: string): number {
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) {
      if (depth === 1 && text.startsWith(METADATA, offset)) return offset + METADATA.length;
      offset = endOfText(text, offset);
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

function isEscaped(text: string, offset: number): boolean {
  let before = offset;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (offset - before) % 2 === 1;
}

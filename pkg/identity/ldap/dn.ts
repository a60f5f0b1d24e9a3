import { fold } from '../../kube/meta/fold.js';

const PLACE = '%s';

/** The characters that RFC 4514 §2.4 escapes, and those that some servers treat in a special way. */
const SPECIAL = /[,+"\\<>;=#/]/g;

/** A distinguished name, or another name of an account, with a value in place of `%s`. */
export function dnFor(template: string, value: string): string {
  return template.replaceAll(PLACE, () => (template.includes('=') ? escaped(value) : value));
}

/** Whether the person binds with the own name, and not this server with one that is set. */
export const isOwnBind = (template: string | undefined): boolean => template?.includes(PLACE) === true;

function escaped(value: string): string {
  return value.replaceAll(SPECIAL, (character) => `\\${character}`).replace(/^ | $/g, '\\ ');
}

/** Bytes in hexadecimal, an escaped character, a separator with the white space around it, or another character. */
const TOKEN = /((?:\\[0-9a-f]{2})+)|\\([ "#+,;<=>\\])|\s*([,=+])\s*|(.)/gisu;

/**
 * The form in which distinguished names of groups are compared. Names have no case, white space around separators does
 * not count, and a character may be escaped in several ways (RFC 4514 §2.4). A name that is none, such as
 * `DOMAIN\admins`, keeps its characters.
 */
export function foldedDn(dn: string): string {
  const name = dn.trim();
  if (!name.includes('=')) return fold(name.replaceAll(/(?<!\\)\s*([,+])\s*/g, '$1'));
  const tokens = [...name.matchAll(TOKEN)].map(([text, bytes, special, separator]) => {
    if (separator !== undefined) return separator;
    return literal(bytes === undefined ? special : textOf(bytes)) ?? text;
  });
  // At the edge of a value, a space and # would mean something else. In the middle, they need no escape.
  return fold(tokens.join('').replaceAll(/(?<=[^,=+\\]|\\[,+\\])\\([ #])(?=[^,+])/g, '$1'));
}

/** Escaped in one way; undefined stays as it is. */
function literal(text: string | undefined): string | undefined {
  return text?.replaceAll(/[,+"\\<>; #\0]/g, (character) => (character === '\0' ? '\\00' : `\\${character}`));
}

/** Undefined for bytes that are no UTF-8. */
function textOf(escapes: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(escapes.replaceAll('\\', ''), 'hex'),
    );
  } catch {
    return undefined;
  }
}

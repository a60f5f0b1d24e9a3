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

/**
 * The form in which distinguished names of groups are compared: names have no case, and white space around separators
 * does not count.
 */
export function foldedDn(dn: string): string {
  return dn
    .toLowerCase()
    .trim()
    .replaceAll(/(?<!\\)\s*([,=+])\s*/g, '$1');
}

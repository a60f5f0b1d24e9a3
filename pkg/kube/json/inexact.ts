import { badRequest } from '../status/errors.js';

/** The refusal of a number that would change. `path` may be empty. */
export function inexactNumber(path: string, text: string): Error {
  const where = path === '' ? 'the body' : path.slice(0, 300);
  const why =
    'it is no integer of 64 bits, and a floating point number of 64 bits would be written with other digits; send it as a text in quotes';
  return badRequest(`${where}: the number ${text.slice(0, 100)} would be changed: ${why}`);
}

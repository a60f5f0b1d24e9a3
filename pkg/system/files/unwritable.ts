import { messageOf } from '../errors/message.js';

/**
 * A sentence for the operator about a file or folder that could not be written. The errors of the system often name no
 * file.
 */
export function unwritable(path: string, cause: unknown): Error {
  return new Error(`${path} cannot be written: ${messageOf(cause)}`, { cause });
}

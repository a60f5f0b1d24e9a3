import { accessSync, constants } from 'node:fs';
import { messageOf } from '../errors/message.js';
import { makeFolder } from './make-folder.js';

/**
 * Makes the folder that an option names. Throws a sentence for the operator, which names the option, if this program
 * cannot write there.
 */
export function makeWritableFolder(folder: string, option: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new Error(`${option}: cannot write ${folder}: ${reason}. Name a folder that the server may write.`, {
      cause,
    });
  }
}

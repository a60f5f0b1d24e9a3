import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import { messageOf } from '../../pkg/errors/message.js';
import { makeFolder } from '../../pkg/files/make-folder.js';

/** Makes the data folder. Throws a sentence for the operator that names the setting, which the errors of what is stored in it do not. */
export function prepareDataFolder({ paths }: Pick<Settings, 'paths'>): void {
  const folder = resolve(paths.data);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new Error(`paths.data: cannot write ${folder}: ${reason}. Name a folder that the server may write.`, {
      cause,
    });
  }
}

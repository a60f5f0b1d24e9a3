import { resolve } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import { makeWritableFolder } from '../../pkg/system/files/writable-folder.js';

/** The folder in which the processes of a server keep objects. */
export function objectsFolder({ paths }: Pick<Settings, 'paths'>): string {
  return resolve(paths.data, 'objects');
}

/**
 * Makes the data folder. Throws a sentence for the operator that names the setting. Later errors of the files in it
 * would not name it.
 */
export function prepareDataFolder({ paths }: Pick<Settings, 'paths'>): void {
  makeWritableFolder(resolve(paths.data), 'paths.data');
}

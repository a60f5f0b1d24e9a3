import { resolve } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import { makeWritableFolder } from '../../pkg/files/writable-folder.js';

/** The folder in which the processes of a server keep objects. */
export function objectsFolder({ paths }: Pick<Settings, 'paths'>): string {
  return resolve(paths.data, 'objects');
}

/** Makes the data folder. Throws a sentence for the operator that names the setting, which the errors of what is stored in it do not. */
export function prepareDataFolder({ paths }: Pick<Settings, 'paths'>): void {
  makeWritableFolder(resolve(paths.data), 'paths.data');
}

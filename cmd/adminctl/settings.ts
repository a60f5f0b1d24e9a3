import { stderr } from 'node:process';
import { databaseWarning } from '../../pkg/config/mongodb.js';
import type { Settings } from '../../pkg/config/schema.js';
import { uriWarnings } from '../../storage/mongodb/connection/options.js';
import { loadSettings } from '../apiserver/load-settings.js';

/** The settings of a command. Warnings go to the standard error. Throws ConfigError. */
export function settingsFor(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Settings {
  const { settings, warnings } = loadSettings(argv, env);
  for (const warning of [...warnings, ...databaseWarnings(settings)]) warn(warning);
  return settings;
}

/** The same as the server has. */
function databaseWarnings({ storage }: Settings): readonly string[] {
  if (storage.backend !== 'mongodb') return [];
  const warning = databaseWarning(storage);
  return [...(warning === undefined ? [] : [warning]), ...uriWarnings(storage.mongodb_uri ?? '')];
}

export function warn(text: string): void {
  stderr.write(`adminctl: ${text}\n`);
}

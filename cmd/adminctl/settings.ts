import { stderr } from 'node:process';
import type { Settings } from '../../pkg/config/schema.js';
import { loadSettings } from '../apiserver/load-settings.js';

/** The settings of a command. Warnings go to the standard error. Throws ConfigError. */
export function settingsFor(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Settings {
  const { settings, warnings } = loadSettings(argv, env);
  for (const warning of warnings) warn(warning);
  return settings;
}

export function warn(text: string): void {
  stderr.write(`adminctl: ${text}\n`);
}

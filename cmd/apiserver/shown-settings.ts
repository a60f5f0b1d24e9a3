import type { ShownSettings } from '../../apis/system/administration.js';
import type { Settings } from '../../pkg/config/schema.js';
import { isSecret } from '../../pkg/config/secrets.js';

/** Replaces secret values. */
const MASK = '*********';

/** The settings that have a value, as text, by section and name. Nested sections are named as in the settings file: `auth.jwt`. */
export function shownSettings(settings: Settings): ShownSettings {
  const shown: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, values] of Object.entries(settings)) Object.assign(shown, sections(name, values));
  return shown;
}

function sections(name: string, values: object): ShownSettings {
  const own: Record<string, string> = {};
  const within: Record<string, Readonly<Record<string, string>>> = {};
  for (const [key, value] of Object.entries(values) as [string, unknown][]) {
    if (value == null) continue;
    if (isSection(value)) Object.assign(within, sections(`${name}.${key}`, value));
    else own[key] = shown(key, value);
  }
  return Object.keys(own).length === 0 ? within : { [name]: own, ...within };
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && !Array.isArray(value);
}

function shown(key: string, value: unknown): string {
  const text = String(value);
  return isSecret(key, text) ? MASK : text;
}

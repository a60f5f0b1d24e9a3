import type { ShownSettings } from '../../apis/system/administration.js';
import { isDuration } from '../../pkg/config/known.js';
import type { Settings } from '../../pkg/config/schema.js';
import { isSecret } from '../../pkg/config/secrets.js';
import { formatDuration } from '../../pkg/config/values.js';

/** Replaces secret values. */
const MASK = '*********';

/**
 * The settings that have a value, in the form that settings take, by section and name. Nested sections are named as in
 * the settings file: `auth.jwt`.
 */
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
    else own[key] = shown(`${name}.${key}`, value);
  }
  return Object.keys(own).length === 0 ? within : { [name]: own, ...within };
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && !Array.isArray(value);
}

/** `setting` is `section.name`. */
function shown(setting: string, value: unknown): string {
  if (typeof value === 'number' && isDuration(setting)) return formatDuration(value);
  const text = String(value);
  return isSecret(setting.slice(setting.lastIndexOf('.') + 1), text) ? MASK : text;
}

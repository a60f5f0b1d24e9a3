import type { StatusCause } from '../../../pkg/status/status.js';
import type { Strategy } from '../../../registry/strategy.js';
import type { PreferencesSpec } from './schema.js';

const THEMES = ['', 'light', 'dark', 'system'];
const ZONES = ['', 'utc', 'browser'];

export const preferencesStrategy: Strategy<PreferencesSpec> = {
  validate: ({ spec }) => {
    const causes: StatusCause[] = [];
    if (spec?.theme !== undefined && !THEMES.includes(spec.theme)) causes.push(wrong('spec.theme', 'Invalid theme'));
    if (spec?.timezone !== undefined && !isTimezone(spec.timezone))
      causes.push(wrong('spec.timezone', 'Invalid timezone: expected utc, browser or a name such as Europe/Berlin'));
    return causes;
  },
};

function wrong(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message, field };
}

function isTimezone(name: string): boolean {
  if (ZONES.includes(name)) return true;
  // Intl accepts offsets such as +01:00, but these are not names of zones.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

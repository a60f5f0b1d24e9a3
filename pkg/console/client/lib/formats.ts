import { signal } from '@preact/signals';
import { get } from './api.js';

interface Preferences {
  /** `utc`, `browser`, a name such as Europe/Berlin, or empty for that of the browser. */
  readonly timezone: string;
  readonly language: string;
  readonly regionalFormat: string;
}

const chosen = signal<Partial<Preferences>>({});

/** Loads in which time zone and language the caller wants to read times. Until then, it is that of the browser. */
export async function loadFormats(organization: number | undefined): Promise<void> {
  const { user } = await get<{ readonly user: Partial<Preferences> }>('/bootdata', { orgId: organization });
  chosen.value = user;
}

/** A time with its date. */
export function dateAndTime(at: Date): string {
  return shown(at, { dateStyle: 'medium', timeStyle: 'long' });
}

/** The hour and the minute of a time. */
export function timeOfDay(at: Date): string {
  return shown(at, { hour: '2-digit', minute: '2-digit' });
}

function shown(at: Date, options: Intl.DateTimeFormatOptions): string {
  const { timezone = '', language = '', regionalFormat = '' } = chosen.value;
  const timeZone = timezone === '' || timezone === 'browser' ? undefined : timezone;
  try {
    return at.toLocaleString(regionalFormat || language || undefined, { ...options, timeZone });
  } catch {
    // The browser does not know the language or the zone.
    return at.toLocaleString(undefined, options);
  }
}

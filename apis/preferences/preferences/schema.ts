import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { line } from '../../../registry/kinds/fields.js';
import { TEAM_PREFERENCES, USER_PREFERENCES } from '../../iam/names.js';

const Navbar = z
  .strictObject({ bookmarkUrls: arrayOf(line(2000), 500).default([]).meta({ default: [] }) })
  .meta({ id: 'PreferencesNavbar' });
const QueryHistory = z
  .strictObject({ homeTab: z.enum(['', 'query', 'starred']) })
  .meta({ id: 'PreferencesQueryHistory' });
const CookiePreferences = z
  .strictObject({
    analytics: z.looseObject({}).optional(),
    performance: z.looseObject({}).optional(),
    functional: z.looseObject({}).optional(),
  })
  .meta({ id: 'PreferencesCookies' });

export const PreferencesSpec = z
  .strictObject({
    theme: line(40).optional().describe('light, dark, system, or another theme; empty for the default.'),
    homeDashboardUID: line(40).optional().describe('Dashboard shown first.'),
    timezone: line(100).optional().describe('utc, browser, or a name such as Europe/Berlin; empty for the default.'),
    weekStart: z.enum(['', 'browser', 'monday', 'saturday', 'sunday']).optional().describe('First day of the week.'),
    language: line(40).optional().describe('Language, such as en-US.'),
    regionalFormat: line(40).optional().describe('How numbers and dates are written, such as de-DE.'),
    dateStyle: line(40).optional().describe('How dates are written.'),
    navbar: Navbar.optional().describe('The navigation.'),
    queryHistory: QueryHistory.optional().describe('Which queries are shown first.'),
    cookiePreferences: CookiePreferences.optional().describe('Which cookies may be set.'),
  })
  .meta({ id: 'PreferencesSpec', description: 'How the dashboards are shown.' });
export type PreferencesSpec = z.infer<typeof PreferencesSpec>;

/** The name of the Preferences of everybody in the namespace. */
export const NAMESPACE_PREFERENCES = 'namespace';

/** The owner that the name of a Preferences object stands for. */
export type Owner =
  | { readonly kind: 'user' | 'team'; readonly name: string }
  | { readonly kind: 'namespace'; readonly name: '' };

export function ownerOf(name: string): Owner {
  if (name.startsWith(USER_PREFERENCES)) return { kind: 'user', name: name.slice(USER_PREFERENCES.length) };
  if (name.startsWith(TEAM_PREFERENCES)) return { kind: 'team', name: name.slice(TEAM_PREFERENCES.length) };
  return { kind: 'namespace', name: '' };
}

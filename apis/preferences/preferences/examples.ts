import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { dashboardNeeded, many, teamNeeded } from '../../testing/needs.js';

export const examples: KindExamples = {
  minimal: { spec: {} },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      theme: 'dark',
      homeDashboardUID: 'home',
      timezone: 'Europe/Berlin',
      weekStart: 'monday',
      language: 'de-DE',
      navbar: { bookmarkUrls: ['/d/home'] },
      queryHistory: { homeTab: 'starred' },
      cookiePreferences: { analytics: { any: ['thing'] } },
    },
  },
  changed: { spec: { theme: 'light' } },
  waiting: { body: { spec: {} }, field: 'metadata.name', name: 'team-unborn' },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an unknown theme', body: { spec: { theme: 'plaid' } }, field: 'spec.theme' },
    { why: 'an unknown time zone', body: { spec: { timezone: 'Mars/Olympus' } }, field: 'spec.timezone' },
    { why: 'an unknown first day', body: { spec: { weekStart: 'friday' } }, field: 'spec.weekStart' },
  ],
  fixed: ['theme', 'timezone', 'homeDashboardUID'],
  needs: [dashboardNeeded('home'), ...many((number) => teamNeeded(`pref-${number}`))],
  nameOf: (number) => `team-pref-${number}`,
  freeText: [],
  freeJson: ['/spec/cookiePreferences/analytics'],
  columnSample: { theme: 'system', timezone: 'America/Argentina/Buenos_Aires', homeDashboardUID: LONG.name },
};

import { addTeam, addUser, nameOf } from '../../testing/cast.js';
import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { dashboardNeeded, many, teamNeeded } from '../../testing/needs.js';
import {
  type Context,
  type ExampleObject,
  type PermissionExamples,
  person,
} from '../../testing/permission-examples.js';

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

const preferences = (owner: (context: Context) => Promise<string>): ExampleObject => ({
  draft: async (context) => ({ name: await owner(context), spec: { theme: 'dark' } }),
  change: () => ({ theme: 'light' }),
});

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Preferences: of the organization for its administrators, of a team as the team, of another user for administrators of the server
Preferences get                            401  403    403    yes   yes  403  yes  403    403  403
Preferences list                           401  none   none   yes   yes  none yes  none   none none
Preferences watch                          401  none   none   yes   yes  none yes  none   none none
Preferences create                         401  403    403    yes   yes  403  yes  403    403  403
Preferences update                         401  403    403    yes   yes  403  yes  403    403  403
Preferences patch                          401  403    403    yes   yes  403  yes  403    403  403
Preferences delete                         401  403    403    yes   yes  403  yes  403    403  403
Preferences deletecollection               401  none   none   yes   yes  none yes  none   none none
Preferences(team) get                      401  403    403    yes   yes  403  yes  yes    yes  403
Preferences(team) list                     401  none   none   yes   yes  none yes  yes    yes  none
Preferences(team) watch                    401  none   none   yes   yes  none yes  yes    yes  none
Preferences(team) create                   401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) update                   401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) patch                    401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) delete                   401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) deletecollection         401  none   none   yes   yes  none yes  none   yes  none
Preferences(other) get                     401  403    403    403   yes  403  403  403    403  403
Preferences(other) list                    401  none   none   none  yes  none none none   none none
Preferences(other) watch                   401  none   none   none  yes  none none none   none none
Preferences(other) create                  401  403    403    403   yes  403  403  403    403  403
Preferences(other) update                  401  403    403    403   yes  403  403  403    403  403
Preferences(other) patch                   401  403    403    403   yes  403  403  403    403  403
Preferences(other) delete                  401  403    403    403   yes  403  403  403    403  403
Preferences(other) deletecollection        401  none   none   none  yes  none none none   none none
# … of the caller: only members of the organization have preferences in it
Preferences(own) get                       401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) list                      401  yes    yes    yes   yes  none none yes    yes  none
Preferences(own) watch                     401  yes    yes    yes   yes  none none yes    yes  none
Preferences(own) create                    401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) update                    401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) patch                     401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) delete                    401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) deletecollection          401  yes    yes    yes   yes  none none yes    yes  none
`,
  seenBy: (name) => (name.startsWith('user-') ? 'owner' : undefined),
  objects: {
    Preferences: preferences(async () => 'namespace'),
    'Preferences(team)': preferences(async ({ cast }) => `team-${await nameOf(addTeam(cast))}`),
    'Preferences(other)': preferences(async ({ cast }) => `user-${await nameOf(addUser(cast))}`),
    'Preferences(own)': preferences(async (context) => `user-${await person(context)}`),
  },
};

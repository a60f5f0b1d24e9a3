import { addUser, nameOf } from '../../testing/cast.js';
import type { KindExamples } from '../../testing/kind-examples.js';
import { dashboardNeeded, many, userNeeded } from '../../testing/needs.js';
import {
  type Context,
  type ExampleObject,
  type PermissionExamples,
  person,
} from '../../testing/permission-examples.js';

const DASHBOARDS = { group: 'dashboard.svc.app', kind: 'Dashboard' };
const starred = (...names: readonly unknown[]) => ({ spec: { resource: [{ ...DASHBOARDS, names }] } });

export const examples: KindExamples = {
  minimal: { spec: { resource: [] } },
  full: { metadata: { labels: { team: 'ops' } }, ...starred('starred-1', 'starred-2') },
  changed: starred('starred-2'),
  waiting: { body: { spec: { resource: [] } }, field: 'metadata.name', name: 'user-unborn' },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an unknown dashboard', body: starred('starred-1', 'nothing'), field: 'spec.resource[0].names[1]' },
    { why: 'a name of another type', body: starred(7), field: 'spec.resource[0].names[0]' },
    { why: 'an empty name', body: starred(''), field: 'spec.resource[0].names[0]' },
    {
      why: 'a kind that cannot be starred',
      body: { spec: { resource: [{ group: 'iam.svc.app', kind: 'User', names: ['admin'] }] } },
      field: 'spec.resource[0]',
    },
    {
      why: 'too many names',
      body: starred(...Array.from({ length: 1001 }, (_, i) => `starred-${i}`)),
      field: 'spec.resource[0].names',
    },
  ],
  fixed: ['resource'],
  needs: [
    dashboardNeeded('starred-1'),
    dashboardNeeded('starred-2'),
    ...many((number) => userNeeded(`star-${number}`)),
  ],
  nameOf: (number) => `user-star-${number}`,
  freeText: [],
  freeJson: [],
  columnSample: { resource: [] },
};

const stars = (owner: (context: Context) => Promise<string>): ExampleObject => ({
  draft: async (context) => ({ name: `user-${await owner(context)}`, spec: { resource: [] } }),
  change: () => ({ resource: [{ ...DASHBOARDS, names: [] }] }),
});

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Stars: of another user for administrators of the server; each member of the organization has their own
Stars get                                  401  403    403    403   yes  403  403  403    403  403
Stars list                                 401  none   none   none  yes  none none none   none none
Stars watch                                401  none   none   none  yes  none none none   none none
Stars create                               401  403    403    403   yes  403  403  403    403  403
Stars update                               401  403    403    403   yes  403  403  403    403  403
Stars patch                                401  403    403    403   yes  403  403  403    403  403
Stars delete                               401  403    403    403   yes  403  403  403    403  403
Stars deletecollection                     401  none   none   none  yes  none none none   none none
Stars(own) get                             401  yes    yes    yes   yes  403  403  yes    yes  403
Stars(own) list                            401  yes    yes    yes   yes  none none yes    yes  none
Stars(own) watch                           401  yes    yes    yes   yes  none none yes    yes  none
Stars(own) create                          401  yes    yes    yes   yes  403  403  yes    yes  403
Stars(own) update                          401  yes    yes    yes   yes  403  403  yes    yes  403
Stars(own) patch                           401  yes    yes    yes   yes  403  403  yes    yes  403
Stars(own) delete                          401  yes    yes    yes   yes  403  403  yes    yes  403
Stars(own) deletecollection                401  yes    yes    yes   yes  none none yes    yes  none
`,
  seenBy: 'owner',
  objects: {
    Stars: stars(({ cast }) => nameOf(addUser(cast))),
    'Stars(own)': stars(person),
  },
};

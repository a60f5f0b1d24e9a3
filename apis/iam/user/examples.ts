import { isPerson } from '../../testing/callers.js';
import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import type { Context, Draft, PermissionExamples } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { login: '{name}', email: '{name}@example.com' } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      login: '{name}',
      email: '{name}@example.com',
      name: 'Ada',
      disabled: false,
      provisioned: true,
      emailVerified: true,
    },
  },
  changed: { spec: { login: '{name}', email: '{name}@example.com', name: 'Grace' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'neither login nor e-mail address', body: { spec: {} }, field: 'spec.login' },
    { why: 'a login of another type', body: { spec: { login: 5 } }, field: 'spec.login' },
    { why: 'a login that is reserved for the server', body: { spec: { login: 'system:x' } }, field: 'spec.login' },
    { why: 'disabled as text', body: { spec: { login: '{name}', disabled: 'no' } }, field: 'spec.disabled' },
  ],
  fixed: ['login', 'email', 'grafanaAdmin', 'activeOrganization'],
  kept: ['emailVerified'],
  freeText: [],
  freeJson: [],
  columnSample: { login: 'ada.lovelace', email: LONG.email, disabled: false, grafanaAdmin: false },
};

const draft = async ({ cast: { fresh } }: Context): Promise<Draft> => {
  const name = fresh('user');
  return { name, spec: { login: name, email: `${name}@example.com`, name } };
};
const change = ({ cast }: Context): object => ({ name: cast.fresh('Renamed') });

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Users: for administrators of the server; all users can view themselves
User get                                   401  403    403    403   yes  403  403  403    403  403
User list                                  401  none   none   none  yes  none none none   none none
User watch                                 401  none   none   none  yes  none none none   none none
User create                                401  403    403    403   yes  403  403  403    403  403
User update                                401  403    403    403   yes  403  403  403    403  403
User patch                                 401  403    403    403   yes  403  403  403    403  403
User delete                                401  403    403    403   yes  403  403  403    403  403
User deletecollection                      401  none   none   none  yes  none none none   none none
User(own) get                              401  yes    yes    yes   yes  403  403  yes    yes  yes
User(own) list                             401  yes    yes    yes   yes  none none yes    yes  yes
User(own) watch                            401  yes    yes    yes   yes  none none yes    yes  yes
User(own) update                           401  403    403    403   yes  403  403  403    403  403
User(own) patch                            401  403    403    403   yes  403  403  403    403  403
User(own) delete                           401  403    403    403   yes  403  403  403    403  403
`,
  objects: {
    User: { draft, change },
    'User(own)': {
      draft,
      existing: async ({ caller }) => (isPerson(caller) ? caller : undefined),
      change,
      dryRun: true,
    },
  },
};

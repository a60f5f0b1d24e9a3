import { isPerson } from '../../testing/callers.js';
import { type Cast, IAM, nameOf } from '../../testing/cast.js';
import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { many, userNeeded } from '../../testing/needs.js';
import type { Draft, PermissionExamples } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { userRef: { name: '{name}' }, role: 'Viewer' } },
  full: { metadata: { labels: { team: 'ops' } }, spec: { userRef: { name: '{name}' }, role: 'Viewer' } },
  changed: { spec: { userRef: { name: '{name}' }, role: 'Editor' } },
  waiting: {
    body: { spec: { userRef: { name: 'unborn' }, role: 'Viewer' } },
    field: 'spec.userRef.name',
    name: 'unborn',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an unknown role', body: { spec: { userRef: { name: '{name}' }, role: 'King' } }, field: 'spec.role' },
    {
      why: 'a user that differs from its name',
      body: { spec: { userRef: { name: 'other' }, role: 'Viewer' } },
      field: 'spec.userRef.name',
    },
  ],
  fixed: ['userRef', 'role'],
  needs: many((number) => userNeeded(`member-${number}`)),
  nameOf: (number) => `member-${number}`,
  freeText: [],
  freeJson: [],
  columnSample: { userRef: { name: LONG.name }, role: 'Viewer' },
};

const membership = (user: string): Draft => ({ name: user, spec: { userRef: { name: user }, role: 'Viewer' } });

const newUser = ({ made, fresh }: Cast): Promise<string> => {
  const name = fresh('user');
  return nameOf(made(IAM, 'User', name, { login: name, email: `${name}@example.com`, name }));
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Memberships: for administrators of the organization; members can view their own, but not raise it
OrganizationBinding get                    401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding list                   401  none   none   yes   yes  none yes  none   none none
OrganizationBinding watch                  401  none   none   yes   yes  none yes  none   none none
OrganizationBinding create                 401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding update                 401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding patch                  401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding delete                 401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding deletecollection       401  none   none   yes   yes  none yes  none   none none
OrganizationBinding(own) get               401  yes    yes    yes   yes  403  yes  yes    yes  403
OrganizationBinding(own) list              401  yes    yes    yes   yes  none yes  yes    yes  none
OrganizationBinding(own) watch             401  yes    yes    yes   yes  none yes  yes    yes  none
OrganizationBinding(own) create            401  403    403    409   409  403  yes  403    403  403
OrganizationBinding(own) update            401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding(own) patch             401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    OrganizationBinding: {
      draft: async ({ cast }) => membership(await newUser(cast)),
      change: () => ({ role: 'Editor' }),
    },
    'OrganizationBinding(own)': {
      draft: async ({ cast, caller, verb }) =>
        membership(verb === 'create' && isPerson(caller) ? caller : await newUser(cast)),
      existing: async ({ caller }) => (isPerson(caller) && caller !== 'outsider' ? caller : undefined),
      change: () => ({ role: 'Admin' }),
      dryRun: true,
    },
  },
};

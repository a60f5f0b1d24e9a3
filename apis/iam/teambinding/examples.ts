import { addTeam, addUser, type Cast, IAM, nameOf } from '../../testing/cast.js';
import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { many, teamNeeded, userNeeded } from '../../testing/needs.js';
import { type Draft, type PermissionExamples, person } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { teamRef: { name: '{name}' }, userRef: { name: 'ada' } } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      teamRef: { name: '{name}' },
      userRef: { name: 'ada' },
      permission: 'member',
      external: true,
      provisioned: true,
    },
  },
  changed: { spec: { teamRef: { name: '{name}' }, userRef: { name: 'ada' }, permission: 'admin' } },
  waiting: {
    body: { spec: { teamRef: { name: 'none' }, userRef: { name: '{name}' } } },
    field: 'spec.teamRef.name',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no user', body: { spec: { teamRef: { name: '{name}' } } }, field: 'spec.userRef' },
    {
      why: 'an unknown permission',
      body: { spec: { teamRef: { name: '{name}' }, userRef: { name: 'ada' }, permission: 'king' } },
      field: 'spec.permission',
    },
  ],
  fixed: ['teamRef', 'userRef'],
  needs: [
    userNeeded('ada'),
    {
      path: '/apis/iam.svc.app/v1beta1/namespaces/default/organizationbindings',
      body: {
        apiVersion: 'iam.svc.app/v1beta1',
        kind: 'OrganizationBinding',
        metadata: { name: 'ada' },
        spec: { userRef: { name: 'ada' }, role: 'Viewer' },
      },
    },
    ...many((number) => teamNeeded(`bound-${number}`)),
  ],
  nameOf: (number) => `bound-${number}`,
  freeText: [],
  freeJson: [],
  columnSample: { userRef: { name: LONG.name }, teamRef: { name: LONG.name }, permission: 'member' },
};

const binding = (team: string, user: string): Draft => ({
  name: `${team}.${user}`,
  spec: { teamRef: { name: team }, userRef: { name: user }, permission: 'member' },
});

const newTeam = ({ made, fresh }: Cast): Promise<string> =>
  nameOf(made(IAM, 'Team', fresh('team'), { title: fresh('Team') }));

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Members of teams: Admins of a team manage them, administrators of the organization manage all
TeamBinding get                            401  403    403    yes   yes  403  yes  yes    yes  403
TeamBinding list                           401  none   none   yes   yes  none yes  yes    yes  none
TeamBinding watch                          401  none   none   yes   yes  none yes  yes    yes  none
TeamBinding create                         401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding update                         401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding patch                          401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding delete                         401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding deletecollection               401  none   none   yes   yes  none yes  none   yes  none
TeamBinding(own) get                       401  403    403    yes   yes  403  yes  yes    yes  403
TeamBinding(own) list                      401  none   none   yes   yes  none yes  yes    yes  none
TeamBinding(own) create                    401  403    403    yes   yes  403  yes  403    403  403
TeamBinding(own) update                    401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding(own) patch                     401  403    403    yes   yes  403  yes  403    yes  403
`,
  objects: {
    TeamBinding: {
      draft: async ({ cast }) => binding(await nameOf(addTeam(cast)), await nameOf(addUser(cast))),
      change: () => ({ permission: 'admin' }),
    },
    'TeamBinding(own)': {
      draft: async (context) => binding(await newTeam(context.cast), await person(context)),
      existing: async ({ cast, caller, verb }) =>
        verb === 'create' ? undefined : `${await nameOf(addTeam(cast))}.${caller === 'lead' ? 'lead' : 'member'}`,
      change: () => ({ permission: 'admin' }),
      dryRun: true,
    },
  },
};

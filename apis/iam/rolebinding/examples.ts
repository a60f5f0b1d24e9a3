import { addDashboard, addFolder, addUser, type Cast, nameOf } from '../../testing/cast.js';
import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import {
  type Draft,
  type ExampleObject,
  isBot,
  type PermissionExamples,
  person,
  privateFolder,
} from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { subject: { kind: 'BasicRole', name: 'Viewer' }, roleRef: { kind: 'BuiltIn', name: 'Viewer' } } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      subject: { kind: 'BasicRole', name: 'Viewer' },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder: 'bound' },
    },
  },
  changed: { spec: { subject: { kind: 'BasicRole', name: 'Editor' }, roleRef: { kind: 'BuiltIn', name: 'Admin' } } },
  waiting: {
    body: { spec: { subject: { kind: 'Team', name: 'none' }, roleRef: { kind: 'BuiltIn', name: 'Viewer' } } },
    field: 'spec.subject.name',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no subject', body: { spec: { roleRef: { kind: 'BuiltIn', name: 'Viewer' } } }, field: 'spec.subject' },
    {
      why: 'an unknown basic role',
      body: { spec: { subject: { kind: 'BasicRole', name: 'King' }, roleRef: { kind: 'BuiltIn', name: 'Viewer' } } },
      field: 'spec.subject.name',
    },
  ],
  fixed: ['subject', 'roleRef', 'scope'],
  needs: [
    {
      path: '/apis/folder.svc.app/v1beta1/namespaces/default/folders',
      body: { metadata: { name: 'bound' }, spec: { title: 'Bound' } },
    },
  ],
  freeText: [],
  freeJson: [],
  columnSample: {
    subject: { kind: 'Team', name: LONG.name },
    roleRef: { kind: 'BuiltIn', name: 'Edit' },
    scope: { folder: LONG.name },
  },
};

const builtIn = (name: string): object => ({ roleRef: { kind: 'BuiltIn', name } });

const binding = ({ fresh }: Cast, kind: string, name: string, what: object): Draft => ({
  name: fresh('binding'),
  spec: { subject: { kind, name }, ...what },
});

const scoped = (newScope: (cast: Cast) => Promise<object>): ExampleObject => ({
  draft: async ({ cast }) => {
    const scope = await newScope(cast);
    return binding(cast, 'User', await nameOf(addUser(cast)), { ...builtIn('View'), scope });
  },
  change: () => builtIn('Edit'),
});

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Role bindings: for administrators of the organization; bindings on a folder or a dashboard also for its administrators
RoleBinding get                            401  403    403    yes   yes  403  yes  403    403  403
RoleBinding list                           401  none   none   yes   yes  none yes  none   none none
RoleBinding watch                          401  none   none   yes   yes  none yes  none   none none
RoleBinding create                         401  403    403    yes   yes  403  yes  403    403  403
RoleBinding update                         401  403    403    yes   yes  403  yes  403    403  403
RoleBinding patch                          401  403    403    yes   yes  403  yes  403    403  403
RoleBinding delete                         401  403    403    yes   yes  403  yes  403    403  403
RoleBinding deletecollection               401  none   none   yes   yes  none yes  none   none none
RoleBinding(own) create                    401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) get                    401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) list                   401  none   none   yes   yes  none yes  none   none none
RoleBinding(folder) watch                  401  none   none   yes   yes  none yes  none   none none
RoleBinding(folder) create                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) update                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) patch                  401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) delete                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) deletecollection       401  none   none   yes   yes  none yes  none   none none
RoleBinding(dashboard) get                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) list                401  none   none   yes   yes  none yes  none   none none
RoleBinding(dashboard) watch               401  none   none   yes   yes  none yes  none   none none
RoleBinding(dashboard) create              401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) update              401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) patch               401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) delete              401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) deletecollection    401  none   none   yes   yes  none yes  none   none none
# In a private folder inside a public one, which a team may view, and Editors may edit by a binding of their role
RoleBinding(private) get                   401   403   403   yes   yes   403   yes   403   403   403
RoleBinding(private) list                  401   none  none  yes   yes   none  yes   none  none  none
RoleBinding(private) watch                 401   none  none  yes   yes   none  yes   none  none  none
RoleBinding(private) create                401   403   403   yes   yes   403   yes   403   403   403
RoleBinding(private) update                401   403   403   yes   yes   403   yes   403   403   403
RoleBinding(private) patch                 401   403   403   yes   yes   403   yes   403   403   403
RoleBinding(private) delete                401   403   403   yes   yes   403   yes   403   403   403
`,
  objects: {
    RoleBinding: {
      draft: async ({ cast }) => binding(cast, 'User', await nameOf(addUser(cast)), builtIn('Viewer')),
      change: () => builtIn('Editor'),
    },
    'RoleBinding(own)': {
      draft: async (context) => {
        const kind = isBot(context.caller) ? 'ServiceAccount' : 'User';
        const name = kind === 'User' ? await person(context) : context.caller;
        return binding(context.cast, kind, name, builtIn('Admin'));
      },
      change: () => builtIn('Admin'),
      dryRun: true,
    },
    'RoleBinding(folder)': scoped(async (cast) => ({ folder: await nameOf(addFolder(cast)) })),
    'RoleBinding(private)': scoped(async (cast) => ({ folder: await privateFolder(cast) })),
    'RoleBinding(dashboard)': scoped(async (cast) => ({ dashboard: await nameOf(addDashboard(cast)) })),
  },
};

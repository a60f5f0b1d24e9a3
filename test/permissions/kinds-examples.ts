import type { Body } from '../harness/body.js';
import { addTeam, addUser, type Cast, collectionOf, IAM, isPerson } from './cast.js';
import type { Caller } from './table.js';

/** The name and the spec of an object. */
export interface Draft {
  readonly name: string;
  readonly spec: object;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The members of kinds without spec. */
  readonly members?: object;
}

/** A caller with a verb. */
export interface Context {
  readonly cast: Cast;
  readonly caller: Caller;
  readonly verb: string;
}

/** The example objects of a subject, such as `RoleBinding(folder)`. */
export interface Example {
  /** An object that can be created. The objects that it refers to exist. */
  draft(context: Context): Promise<Draft>;
  /** The name of the object, if it exists already. */
  readonly existing?: (context: Context) => Promise<string | undefined>;
  /** The changes of an update, or the body for a subresource. */
  change(context: Context): object;
  /** The request is a dry run, so that the caller does not change. */
  readonly dryRun?: boolean;
}

const BOTS: readonly Caller[] = ['botV', 'botA'];

const nameOf = async (made: Promise<Body>): Promise<string> => (await made).metadata.name;

const userDraft = (name: string): Draft => ({ name, spec: { login: name, email: `${name}@example.com`, name } });

const newUser = ({ made, fresh }: Cast): Promise<string> => {
  const { name, spec } = userDraft(fresh('user'));
  return nameOf(made(IAM, 'User', name, spec));
};

const newFolder = ({ made, fresh }: Cast): Promise<string> =>
  nameOf(made('folder.svc.app/v1beta1', 'Folder', fresh('folder'), { title: 'Folder' }));

const newDashboard = ({ made, fresh }: Cast): Promise<string> =>
  nameOf(made('dashboard.svc.app/v1beta1', 'Dashboard', fresh('dashboard'), { title: fresh('Dashboard') }));

const newTeam = ({ made, fresh }: Cast): Promise<string> =>
  nameOf(made(IAM, 'Team', fresh('team'), { title: fresh('Team') }));

/** The caller, or another user if the caller is no person. */
const person = async ({ cast, caller }: Context): Promise<string> =>
  isPerson(caller) ? caller : nameOf(addUser(cast));

const applySet: Example = {
  draft: async ({ cast: { fresh } }) => ({ name: fresh('set'), spec: {} }),
  change: ({ cast: { fresh } }) => ({ description: fresh('description') }),
};

const titled = (prefix: string): Example => ({
  draft: async ({ cast: { fresh } }) => ({ name: fresh(prefix), spec: { title: fresh('Title') } }),
  change: ({ cast: { fresh } }) => ({ title: fresh('Renamed') }),
});

/** Deletions use a new organization. All other verbs use the organization of the callers. */
const organization: Example = {
  ...titled('org'),
  existing: async ({ verb }) => (verb.startsWith('delete') ? undefined : 'default'),
  change: ({ cast: { fresh } }) => ({ address: { city: fresh('City') } }),
};

/** The same organizations as namespaces, which have no spec of their own. */
const namespace: Example = {
  ...organization,
  draft: async ({ cast: { fresh } }) => ({ name: fresh('ns'), spec: {} }),
  change: () => ({}),
};

const membership = (user: string): Draft => ({ name: user, spec: { userRef: { name: user }, role: 'Viewer' } });

const teamBinding = (team: string, user: string): Draft => ({
  name: `${team}.${user}`,
  spec: { teamRef: { name: team }, userRef: { name: user }, permission: 'member' },
});

const role = (action: string): object => ({ permissions: [{ action, scope: 'folders:*' }] });

const builtIn = (name: string): object => ({ roleRef: { kind: 'BuiltIn', name } });

const roleBinding = ({ fresh }: Cast, kind: string, name: string, what: object): Draft => ({
  name: fresh('binding'),
  spec: { subject: { kind, name }, ...what },
});

const scopedBinding = (newScope: (cast: Cast) => Promise<object>): Example => ({
  draft: async ({ cast }) => {
    const scope = await newScope(cast);
    return roleBinding(cast, 'User', await nameOf(addUser(cast)), { ...builtIn('View'), scope });
  },
  change: () => builtIn('Edit'),
});

const alertRule = (title: string): object => ({
  title,
  ruleGroup: 'group',
  condition: 'A',
  data: [{ refId: 'A', datasourceUid: 'metrics', model: {} }],
});

const preferences = (owner: (context: Context) => Promise<string>): Example => ({
  draft: async (context) => ({ name: await owner(context), spec: { theme: 'dark' } }),
  change: () => ({ theme: 'light' }),
});

const queries = (): object => ({ datasourceUid: 'prom', queries: [] });

/** An item of the caller. If the caller may not make one, it is of somebody else. */
const ownQueries = async ({ cast, caller }: Context): Promise<string | undefined> => {
  const apiVersion = 'queryhistory.svc.app/v1beta1';
  const body = { apiVersion, kind: 'QueryHistory', metadata: { generateName: 'own-' }, spec: queries() };
  const answer = await cast.call(caller, 'POST', collectionOf(apiVersion, 'QueryHistory'), { body });
  return answer.status === 201 ? answer.json().metadata.name : undefined;
};

const ruleInFolder: Example = {
  draft: async ({ cast }) => ({
    name: cast.fresh('rule'),
    spec: alertRule(cast.fresh('Rule')),
    annotations: { 'svc.app/folder': await newFolder(cast) },
  }),
  change: ({ cast: { fresh } }) => ({ title: fresh('Renamed') }),
};

const element: Example = {
  draft: async ({ cast: { fresh } }) => ({
    name: fresh('element'),
    spec: { name: fresh('Element'), kind: 1, model: {} },
  }),
  change: ({ cast: { fresh } }) => ({ name: fresh('Renamed') }),
};

const privateFolders = new WeakMap<Cast, Promise<string>>();

/** A private folder inside a public one. `member` and `lead` may view the public one by their team, and Editors may edit it by a binding of their role. */
function privateFolder(cast: Cast): Promise<string> {
  const known = privateFolders.get(cast) ?? newPrivateFolder(cast);
  privateFolders.set(cast, known);
  return known;
}

async function newPrivateFolder(cast: Cast): Promise<string> {
  const { made, fresh } = cast;
  const outer = await newFolder(cast);
  const team = await nameOf(addTeam(cast));
  for (const [kind, name, level] of [
    ['Team', team, 'View'],
    ['BasicRole', 'Editor', 'Edit'],
  ] as const) {
    const { name: binding, spec } = roleBinding(cast, kind, name, { ...builtIn(level), scope: { folder: outer } });
    await made(IAM, 'RoleBinding', binding, spec);
  }
  const annotations = { 'svc.app/folder': outer, 'svc.app/basic-roles': 'none' };
  return nameOf(made('folder.svc.app/v1beta1', 'Folder', fresh('private'), { title: 'Private' }, { annotations }));
}

/** The same objects in a folder that lies in a private one. */
const inPrivate = (example: Example): Example => ({
  ...example,
  draft: async (context) => ({
    ...(await example.draft(context)),
    annotations: { 'svc.app/folder': await privateFolder(context.cast) },
  }),
});

/** Brings back the first version of an object. */
const restored = (example: Example): Example => ({ ...example, change: () => ({ spec: { version: 1 } }) });
const annotation = (where: (cast: Cast) => Promise<object>): Example => ({
  draft: async ({ cast }) => ({
    name: cast.fresh('annotation'),
    spec: { text: 'Event', time: 1, ...(await where(cast)) },
  }),
  change: () => ({ text: 'Changed' }),
});

const stars = (owner: (context: Context) => Promise<string>): Example => ({
  draft: async (context) => ({ name: `user-${await owner(context)}`, spec: { resource: [] } }),
  change: () => ({ resource: [{ group: 'dashboard.svc.app', kind: 'Dashboard', names: [] }] }),
});

/** The definition of a kind that no other one has. */
const definition: Example = {
  draft: async ({ cast }) => {
    const kind = cast.fresh('Widget').replace(/[^a-zA-Z0-9]/g, '');
    const plural = `${kind.toLowerCase()}s`;
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    const spec = { group: 'example.com', scope: 'Namespaced', names: { plural, kind }, versions: [version] };
    return { name: `${plural}.example.com`, spec };
  },
  change: () => ({ conversion: { strategy: 'None' } }),
};

const report: Example = {
  ...titled('report'),
  draft: async ({ cast: { fresh } }) => ({ name: fresh('report'), spec: { title: fresh('Title'), size: 1 } }),
};

/** The examples by the first word of a row. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  Folder: titled('folder'),
  'Folder(private)': inPrivate(titled('folder')),
  'Folder/history': titled('folder'),
  'Folder/restore': restored(titled('folder')),
  Dashboard: titled('dashboard'),
  'Dashboard(private)': inPrivate(titled('dashboard')),
  'Dashboard/history': titled('dashboard'),
  'Dashboard/restore': restored(titled('dashboard')),
  AlertRule: ruleInFolder,
  'AlertRule(private)': inPrivate(ruleInFolder),
  'AlertRule/history': ruleInFolder,
  'AlertRule/restore': restored(ruleInFolder),
  LibraryElement: element,
  'LibraryElement(private)': inPrivate(element),
  'LibraryElement/history': element,
  'LibraryElement/restore': restored(element),
  User: {
    draft: async ({ cast }) => userDraft(cast.fresh('user')),
    change: ({ cast }) => ({ name: cast.fresh('Renamed') }),
  },
  'User(own)': {
    draft: async ({ cast }) => userDraft(cast.fresh('user')),
    existing: async ({ caller }) => (isPerson(caller) ? caller : undefined),
    change: ({ cast }) => ({ name: cast.fresh('Renamed') }),
    dryRun: true,
  },
  Organization: organization,
  Namespace: namespace,
  'Namespace/status': namespace,
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
  Team: {
    ...titled('team'),
    existing: async ({ cast, verb }) => (verb === 'create' ? undefined : nameOf(addTeam(cast))),
  },
  TeamBinding: {
    draft: async ({ cast }) => teamBinding(await nameOf(addTeam(cast)), await nameOf(addUser(cast))),
    change: () => ({ permission: 'admin' }),
  },
  'TeamBinding(own)': {
    draft: async (context) => teamBinding(await newTeam(context.cast), await person(context)),
    existing: async ({ cast, caller, verb }) =>
      verb === 'create' ? undefined : `${await nameOf(addTeam(cast))}.${caller === 'lead' ? 'lead' : 'member'}`,
    change: () => ({ permission: 'admin' }),
    dryRun: true,
  },
  ServiceAccount: titled('account'),
  'ServiceAccount(own)': {
    draft: titled('account').draft,
    existing: async ({ caller }) => (BOTS.includes(caller) ? caller : undefined),
    change: () => ({ role: 'Admin' }),
    dryRun: true,
  },
  'ServiceAccount/token': { draft: titled('account').draft, change: () => ({ spec: {} }) },
  Event: {
    draft: async ({ cast }) => ({ name: cast.fresh('event'), spec: {}, members: { involvedObject: {} } }),
    change: () => ({}),
  },
  Secret: { draft: async ({ cast }) => ({ name: cast.fresh('secret'), spec: {}, members: {} }), change: () => ({}) },
  ConfigMap: { draft: async ({ cast }) => ({ name: cast.fresh('config'), spec: {}, members: {} }), change: () => ({}) },
  Report: report,
  'Report/history': report,
  'Report/restore': restored(report),
  'Report/status': report,
  'Report/scale': {
    draft: report.draft,
    change: () => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 2 } }),
  },
  Plan: titled('plan'),
  Site: titled('site'),
  CustomResourceDefinition: definition,
  'CustomResourceDefinition/status': { draft: definition.draft, change: () => ({ metadata: {} }) },
  ApplySet: applySet,
  'ApplySet/status': applySet,
  'ApplySet/members': applySet,
  'ApplySet/apply': { draft: applySet.draft, change: () => ({ spec: { objects: [] } }) },
  Lease: {
    draft: async ({ cast }) => ({ name: cast.fresh('lease'), spec: { holderIdentity: 'one' } }),
    change: ({ cast }) => ({ holderIdentity: cast.fresh('holder') }),
  },
  Role: {
    draft: async ({ cast }) => ({ name: cast.fresh('role'), spec: role('folders:read') }),
    change: () => role('folders:*'),
  },
  RoleBinding: {
    draft: async ({ cast }) => roleBinding(cast, 'User', await nameOf(addUser(cast)), builtIn('Viewer')),
    change: () => builtIn('Editor'),
  },
  'RoleBinding(own)': {
    draft: async (context) => {
      const kind = BOTS.includes(context.caller) ? 'ServiceAccount' : 'User';
      const name = kind === 'User' ? await person(context) : context.caller;
      return roleBinding(context.cast, kind, name, builtIn('Admin'));
    },
    change: () => builtIn('Admin'),
    dryRun: true,
  },
  'RoleBinding(folder)': scopedBinding(async (cast) => ({ folder: await newFolder(cast) })),
  'RoleBinding(dashboard)': scopedBinding(async (cast) => ({ dashboard: await newDashboard(cast) })),
  SSOSetting: {
    draft: async ({ cast: { fresh } }) => ({
      name: fresh('gitlab'),
      spec: { settings: { clientId: 'client', clientSecret: 'secret' } },
    }),
    change: ({ cast: { fresh } }) => ({ settings: { clientId: fresh('client') } }),
  },
  Annotation: annotation(async () => ({})),
  'Annotation(private)': annotation(async (cast) => {
    const annotations = { 'svc.app/folder': await privateFolder(cast) };
    const title = cast.fresh('Dashboard');
    const made = cast.made(
      'dashboard.svc.app/v1beta1',
      'Dashboard',
      cast.fresh('dashboard'),
      { title },
      { annotations },
    );
    return { dashboardUID: await nameOf(made) };
  }),
  'RoleBinding(private)': scopedBinding(async (cast) => ({ folder: await privateFolder(cast) })),
  'Annotation(dashboard)': annotation(async (cast) => ({ dashboardUID: await newDashboard(cast) })),
  Preferences: preferences(async () => 'namespace'),
  'Preferences(team)': preferences(async ({ cast }) => `team-${await nameOf(addTeam(cast))}`),
  'Preferences(other)': preferences(async ({ cast }) => `user-${await nameOf(addUser(cast))}`),
  QueryHistory: {
    draft: async ({ cast }) => ({ name: cast.fresh('queries'), spec: queries() }),
    change: () => ({ comment: 'Changed' }),
  },
  'QueryHistory(own)': {
    draft: async ({ cast }) => ({ name: cast.fresh('queries'), spec: queries() }),
    existing: ownQueries,
    change: () => ({ comment: 'Changed' }),
  },
  Stars: stars(({ cast }) => nameOf(addUser(cast))),
  'Stars(own)': stars(person),
  'Preferences(own)': preferences(async (context) => `user-${await person(context)}`),
};

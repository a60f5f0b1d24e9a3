import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import type { Body } from '../harness/body.js';
import { addTeam, addUser, type Cast, IAM, internalId, isPerson, PASSWORD, personNamed } from './cast.js';
import type { Caller } from './table.js';

/** The objects of a request. Each is created when it is first used. */
interface Targets {
  folder(): Promise<Body>;
  /** A library element with its uid as its name. */
  element(): Promise<Body>;
  dashboard(): Promise<Body>;
  team(): Promise<Body>;
  /** A viewer of the organization. */
  user(): Promise<Body>;
  role(): Promise<Body>;
  account(): Promise<Body>;
  organization(): Promise<Body>;
  provider(): Promise<Body>;
  /** An annotation of the organization. */
  annotation(): Promise<Body>;
  /** An alert rule, alone in its folder and in the group `group`. */
  rule(): Promise<Body>;
}

/** The request to a route. */
export interface LegacyTry {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly shows?: string;
}

interface Context {
  readonly cast: Cast;
  readonly caller: Caller;
  /** Objects of this request only. */
  readonly own: Targets;
  /** Objects of all requests, for requests that change nothing or always make the same change. */
  readonly shared: Targets;
}

/** The first permissions of a folder or dashboard at the root. */
const USUAL = [
  { role: 'Editor', permission: 2 },
  { role: 'Viewer', permission: 1 },
];

/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:1/';

/** The spec of an annotation. */
const EVENT = { text: 'Event', time: 1_700_000_000_000 };

export function targetsOf(cast: Cast): Targets {
  const { made, fresh } = cast;
  const once = (make: () => Promise<Body>): (() => Promise<Body>) => {
    let body: Promise<Body> | undefined;
    return () => {
      body ??= make();
      return body;
    };
  };
  return {
    folder: once(() => made('folder.svc.app/v1beta1', 'Folder', fresh('folder'), { title: 'Folder' })),
    element: once(() => {
      const name = fresh('element');
      return made('dashboard.svc.app/v1beta1', 'LibraryElement', name, { name, kind: 1, model: {} });
    }),
    dashboard: once(() =>
      made('dashboard.svc.app/v1beta1', 'Dashboard', fresh('dashboard'), {
        title: fresh('Dashboard'),
        tags: ['permissions'],
      }),
    ),
    team: once(() => addTeam(cast)),
    user: once(() => addUser(cast)),
    role: once(() => made(IAM, 'Role', fresh('role'), { permissions: [] })),
    account: once(() => made(IAM, 'ServiceAccount', fresh('account'), { title: fresh('Account') })),
    annotation: once(() => made('annotation.svc.app/v1beta1', 'Annotation', fresh('annotation'), EVENT)),
    organization: once(() => made(IAM, 'Organization', fresh('org'), { title: fresh('Organization') })),
    provider: once(() => made(IAM, 'SSOSetting', fresh('gitlab'), { settings: { clientId: 'client' } })),
    rule: once(() => addRule(cast)),
  };
}

const id = async (target: Promise<Body>): Promise<number> => internalId(await target);
const nameOf = async (target: Promise<Body>): Promise<string> => (await target).metadata.name;
const mailOf = async (target: Promise<Body>): Promise<string> => `${await nameOf(target)}@example.com`;

/** The objects that paths name by uid, by the beginnings of the paths. All others name a folder. */
const UIDS: readonly (readonly [prefix: string, uid: (targets: Targets) => Promise<string>])[] = [
  ['/datasources', async () => 'none'],
  ['/dashboards', ({ dashboard }) => nameOf(dashboard())],
  ['/access-control/dashboards', ({ dashboard }) => nameOf(dashboard())],
  ['/access-control/roles', ({ role }) => nameOf(role())],
  ['/access-control/users', ({ role }) => nameOf(role())],
  ['/access-control/teams', ({ role }) => nameOf(role())],
  ['/access-control/serviceaccounts', ({ account }) => nameOf(account())],
  ['/user/stars', ({ dashboard }) => nameOf(dashboard())],
  ['/library-elements', ({ element }) => nameOf(element())],
  ['/v1/provisioning', ({ rule }) => nameOf(rule())],
];

/** The objects that paths name by number. All others name a user. */
const IDS: readonly (readonly [prefix: string, target: (targets: Targets) => Promise<Body>])[] = [
  ['/folders', ({ folder }) => folder()],
  ['/serviceaccounts', ({ account }) => account()],
  ['/user/stars', ({ dashboard }) => dashboard()],
  ['/dashboards', ({ dashboard }) => dashboard()],
];

/** The values of the parameters in paths. Routes with other values are in SPECIAL. */
const PARAMS: Readonly<Record<string, (path: string, targets: Targets) => Promise<string | number>>> = {
  ':uid': (path, targets) => UIDS.find(([prefix]) => path.startsWith(prefix))?.[1](targets) ?? nameOf(targets.folder()),
  ':folderUid': async (_path, { rule }) => folderOf(await rule()),
  ':group': async () => 'group',
  ':id': (path, targets) => id(IDS.find(([prefix]) => path.startsWith(prefix))?.[1](targets) ?? targets.user()),
  ':teamId': (_path, { team }) => id(team()),
  ':annotationId': (_path, { annotation }) => id(annotation()),
  ':userId': (_path, { user }) => id(user()),
  ':orgId': async () => 1,
  ':name': async (path, { element }) => {
    if (path.startsWith('/library-elements')) return nameOf(element());
    return path.startsWith('/orgs') ? encodeURIComponent(ORGANIZATION) : 'none';
  },
  ':role': async () => 'Viewer',
  ':version': async () => 1,
  ':provider': async (_path, { provider }) => nameOf(provider()),
};

/** The title of the organization of the callers. */
const ORGANIZATION = 'Main Org.';

/** The requests that need more than the parameters of the path. */
const SPECIAL: Readonly<Record<string, (context: Context) => Promise<Partial<LegacyTry>>>> = {
  'GET /folders': async ({ shared }) => ({ shows: await nameOf(shared.folder()) }),
  'POST /folders': async () => ({ body: { title: 'New' } }),
  'PUT /folders/:uid': async () => ({ body: { title: 'Renamed', overwrite: true } }),
  'POST /folders/:uid/move': async () => ({ body: { parentUid: '' } }),
  'POST /folders/:uid/permissions': async () => ({ body: { items: USUAL } }),
  'POST /access-control/folders/:uid': async () => ({
    body: { permissions: [{ builtInRole: 'Viewer', permission: 'View' }] },
  }),
  'POST /access-control/folders/:uid/users/:userId': async () => ({ body: { permission: 'View' } }),
  'POST /access-control/folders/:uid/teams/:teamId': async () => ({ body: { permission: 'View' } }),
  'POST /access-control/folders/:uid/builtInRoles/:role': async () => ({ body: { permission: 'View' } }),
  'GET /v1/provisioning/alert-rules': async ({ shared }) => ({ shows: await nameOf(shared.rule()) }),
  'GET /v1/provisioning/alert-rules/export': async ({ shared }) => ({
    path: '/v1/provisioning/alert-rules/export?format=json',
    shows: await nameOf(shared.rule()),
  }),
  'POST /v1/provisioning/alert-rules': async ({ shared, cast }) => ({
    body: { ...provisioned(cast.fresh('Rule')), folderUID: folderOf(await shared.rule()), ruleGroup: 'more' },
  }),
  'PUT /v1/provisioning/alert-rules/:uid': async ({ shared }) => ({
    body: { ...provisioned('Renamed'), folderUID: folderOf(await shared.rule()), ruleGroup: 'group' },
  }),
  'GET /v1/provisioning/folder/:folderUid/rule-groups/:group': async ({ shared }) => ({
    shows: await nameOf(shared.rule()),
  }),
  'PUT /v1/provisioning/folder/:folderUid/rule-groups/:group': async ({ shared }) => ({
    body: { interval: 60, rules: [{ ...provisioned('Grouped'), uid: await nameOf(shared.rule()) }] },
  }),
  'GET /prometheus/grafana/api/v1/rules': async ({ shared }) => ({ shows: await nameOf(shared.rule()) }),
  'GET /ruler/grafana/api/v1/rules': async ({ shared }) => ({ shows: await nameOf(shared.rule()) }),
  'GET /library-elements': async ({ shared }) => ({ shows: await nameOf(shared.element()) }),
  'POST /library-elements': async ({ cast }) => ({ body: { name: cast.fresh('Element'), kind: 1, model: {} } }),
  'PATCH /library-elements/:uid': async () => ({ body: { kind: 1, version: 1 } }),
  'PUT /v1/sso-settings/:provider': async () => ({ body: { settings: { clientId: 'client' } } }),
  'POST /v1/sso-settings/:provider/test': async ({ cast: { made, fresh } }) => {
    const settings = { clientId: 'client', authUrl: NOWHERE, tokenUrl: NOWHERE, apiUrl: NOWHERE };
    const provider = await made(IAM, 'SSOSetting', fresh('okta'), { settings });
    return { path: `/v1/sso-settings/${provider.metadata.name}/test` };
  },
  'GET /dashboards/tags': async ({ shared }) => ({ shows: (await shared.dashboard()) && 'permissions' }),
  'POST /dashboards/db': async ({ cast }) => ({ body: { dashboard: { title: cast.fresh('Saved') } } }),
  'POST /dashboards/import': async ({ cast }) => ({ body: { dashboard: { title: cast.fresh('Imported') } } }),
  'POST /dashboards/uid/:uid/restore': async (context) => restored('uid', (await changed(context)).metadata.name),
  'POST /dashboards/id/:id/restore': async (context) => restored('id', internalId(await changed(context))),
  'POST /dashboards/uid/:uid/permissions': async () => ({ body: { items: USUAL } }),
  'POST /dashboards/id/:id/permissions': async () => ({ body: { items: USUAL } }),
  'POST /access-control/dashboards/:uid': async () => ({
    body: { permissions: [{ builtInRole: 'Viewer', permission: 'View' }] },
  }),
  'POST /access-control/dashboards/:uid/users/:userId': async () => ({ body: { permission: 'View' } }),
  'POST /access-control/dashboards/:uid/teams/:teamId': async () => ({ body: { permission: 'View' } }),
  'POST /access-control/dashboards/:uid/builtInRoles/:role': async () => ({ body: { permission: 'View' } }),
  'POST /access-control/roles': async ({ cast }) => ({ body: { name: cast.fresh('custom:role') } }),
  'PUT /access-control/roles/:uid': async ({ own }) => ({
    path: `/access-control/roles/${await nameOf(own.role())}`,
    body: { version: 1 },
  }),
  'PUT /access-control/roles/:uid/assignments': async () => ({ body: { users: [] } }),
  'POST /access-control/users/:userId/roles': async ({ shared }) => ({
    body: { roleUid: await nameOf(shared.role()) },
  }),
  'PUT /access-control/users/:userId/roles': async ({ shared }) => ({
    body: { roleUids: [await nameOf(shared.role())] },
  }),
  'POST /access-control/teams/:teamId/roles': async ({ shared }) => ({
    body: { roleUid: await nameOf(shared.role()) },
  }),
  'PUT /access-control/teams/:teamId/roles': async ({ shared }) => ({
    body: { roleUids: [await nameOf(shared.role())] },
  }),
  'POST /access-control/serviceaccounts/:uid': async () => ({
    body: { permissions: [{ builtInRole: 'Viewer', permission: 'Edit' }] },
  }),
  'POST /access-control/serviceaccounts/:uid/users/:userId': async () => ({ body: { permission: 'Edit' } }),
  'POST /access-control/serviceaccounts/:uid/teams/:teamId': async () => ({ body: { permission: 'Edit' } }),
  'POST /access-control/serviceaccounts/:uid/builtInRoles/:role': async () => ({ body: { permission: 'Edit' } }),
  'GET /users/lookup': async ({ shared }) => ({ path: `/users/lookup?loginOrEmail=${await nameOf(shared.user())}` }),
  'PUT /users/:id': async ({ shared }) => ({ body: profile(await nameOf(shared.user())) }),
  'POST /admin/users': async ({ cast }) => ({ body: { ...profile(cast.fresh('created')), password: PASSWORD } }),
  'PUT /admin/users/:id/password': async () => ({ body: { password: PASSWORD } }),
  'PUT /admin/users/:id/permissions': async () => ({ body: { isGrafanaAdmin: false } }),
  'POST /admin/users/:id/revoke-auth-token': async ({ cast, shared }) => ({
    body: { authTokenId: (await session(cast, await nameOf(shared.user()))).id },
  }),
  'PUT /user': async ({ caller }) => ({ body: profile(caller) }),
  'PUT /user/password': async () => ({ body: { oldPassword: PASSWORD, newPassword: PASSWORD } }),
  'POST /user/revoke-auth-token': async ({ cast, caller }) => ({
    body: { authTokenId: isPerson(caller) ? (await session(cast, caller)).id : 1 },
  }),
  'POST /user/auth-tokens/rotate': async ({ cast, caller }) => ({
    headers: { cookie: `grafana_session=${isPerson(caller) ? (await session(cast, caller)).secret : 'none'}` },
  }),
  'PUT /user/preferences': async () => ({ body: { theme: 'dark' } }),
  'PATCH /user/preferences': async () => ({ body: { theme: 'light' } }),
  'GET /teams/search': async ({ shared }) => ({ shows: await nameOf(shared.team()) }),
  'POST /teams': async ({ cast }) => ({ body: { name: cast.fresh('New team') } }),
  'PUT /teams/:teamId': async ({ cast }) => ({ body: { name: cast.fresh('Renamed team') } }),
  'GET /teams/:teamId/members': async () => ({ shows: 'lead@example.com' }),
  'POST /teams/:teamId/groups': async ({ cast }) => ({ body: { groupId: cast.fresh('group') } }),
  'DELETE /teams/:teamId/groups': async ({ cast, shared }) => {
    const [path, groupId] = [`/teams/${await id(shared.team())}/groups`, cast.fresh('group')];
    await cast.server.call('POST', `/api${path}`, { body: { groupId } });
    return { path: `${path}?groupId=${groupId}` };
  },
  'POST /teams/:teamId/members': async ({ own }) => ({ body: { userId: await id(own.user()) } }),
  'PUT /teams/:teamId/members': async ({ own, shared }) => ({
    path: `/teams/${await id(own.team())}/members`,
    body: { members: [await mailOf(shared.user())], admins: [] },
  }),
  'POST /query-history': async () => ({ body: QUERIES }),
  'PATCH /query-history/:uid': async (context) => ({ ...(await historyItem(context)), body: { comment: 'Changed' } }),
  'DELETE /query-history/:uid': (context) => historyItem(context),
  'POST /query-history/star/:uid': (context) => historyItem(context, '/star'),
  'DELETE /query-history/star/:uid': (context) => historyItem(context, '/star', true),
  'PUT /teams/:teamId/members/:userId': async (context) => ({
    ...(await membership(context)),
    body: { permission: 4 },
  }),
  'DELETE /teams/:teamId/members/:userId': (context) => membership(context),
  'POST /access-control/teams/:teamId': async ({ own }) => ({
    body: { permissions: [{ userId: await id(own.user()), permission: 'Member' }] },
  }),
  'POST /access-control/teams/:teamId/users/:userId': async () => ({ body: { permission: 'Member' } }),
  'PUT /teams/:teamId/preferences': async () => ({ body: { theme: 'dark' } }),
  'PATCH /teams/:teamId/preferences': async () => ({ body: { theme: 'light' } }),
  'GET /serviceaccounts/search': async ({ shared }) => ({ shows: await nameOf(shared.account()) }),
  'POST /serviceaccounts': async ({ cast }) => ({ body: { name: cast.fresh('bot'), role: 'Viewer' } }),
  'PATCH /serviceaccounts/:id': async ({ cast }) => ({ body: { name: cast.fresh('bot') } }),
  'POST /serviceaccounts/:id/tokens': async ({ cast }) => ({ body: { name: cast.fresh('token') } }),
  'DELETE /serviceaccounts/:id/tokens/:tokenId': (context) => token(context),
  'PUT /org': async () => ({ body: { name: ORGANIZATION } }),
  'PUT /org/address': async () => ({ body: { city: 'Berlin' } }),
  'PUT /org/preferences': async () => ({ body: { theme: 'dark' } }),
  'PATCH /org/preferences': async () => ({ body: { theme: 'light' } }),
  'GET /orgs': async () => ({ shows: ORGANIZATION }),
  'POST /orgs': async ({ cast }) => ({ body: { name: cast.fresh('Organization') } }),
  'PUT /orgs/:orgId': async () => ({ body: { name: ORGANIZATION } }),
  'PUT /orgs/:orgId/address': async () => ({ body: { city: 'Berlin' } }),
  'DELETE /orgs/:orgId': async ({ own }) => ({ path: `/orgs/${await id(own.organization())}` }),
  'GET /annotations': async ({ shared }) => ({ shows: (await shared.annotation()) && EVENT.text }),
  'POST /annotations': async () => ({ body: EVENT }),
  'POST /annotations/evt': async () => ({ body: { what: EVENT.text, tags: '' } }),
  'POST /annotations/graphite': async () => ({ body: { what: EVENT.text, tags: '' } }),
  'PUT /annotations/:annotationId': async ({ cast }) => ({ body: { text: cast.fresh('Changed') } }),
  'PATCH /annotations/:annotationId': async ({ cast }) => ({ body: { text: cast.fresh('Changed') } }),
  'POST /annotations/mass-delete': async ({ own }) => ({ body: { annotationId: await id(own.annotation()) } }),
  'GET /search': async ({ shared }) => ({ shows: await nameOf(shared.folder()) }),
  ...members('/org'),
  ...members('/orgs/:orgId'),
};

/** A dashboard with two versions. */
async function changed({ cast: { server }, own }: Context): Promise<Body> {
  const dashboard = await own.dashboard();
  const path = `/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards/${dashboard.metadata.name}`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  await server.call('PATCH', path, { headers, body: { spec: { tags: ['changed'] } } });
  return dashboard;
}

const restored = (by: string, dashboard: string | number): LegacyTry => ({
  path: `/dashboards/${by}/${dashboard}/restore`,
  body: { version: 1 },
});

const QUERIES = { datasourceUid: 'prom', queries: [{ refId: 'A' }] };

/** An item of the query history of the caller. `none` if the caller cannot have one. */
async function historyItem({ cast, caller }: Context, prefix = '', isStarred = false): Promise<Partial<LegacyTry>> {
  const made = await cast.call(caller, 'POST', '/api/query-history', { body: QUERIES });
  const uid = made.status === 200 ? JSON.parse(made.text).result.uid : 'none';
  const path = `/query-history${prefix}/${uid}`;
  if (isStarred) await cast.call(caller, 'POST', `/api${path}`);
  return { path };
}

type Special = (context: Context) => Promise<Partial<LegacyTry>>;

function members(prefix: string): Readonly<Record<string, Special>> {
  const shows: Special = async ({ shared }) => ({ shows: await mailOf(shared.user()) });
  return {
    [`GET ${prefix}/users`]: shows,
    // The lead administers a team, and gets no addresses.
    [`GET ${prefix}/users/lookup`]: async (context) => {
      await context.shared.team();
      return shows(context);
    },
    [`GET ${prefix}/users/search`]: shows,
    [`POST ${prefix}/users`]: async ({ cast: { made, fresh } }) => {
      const name = fresh('joining');
      await made(IAM, 'User', name, { login: name, email: `${name}@example.com` });
      return { body: { loginOrEmail: `${name}@example.com`, role: 'Viewer' } };
    },
    [`PATCH ${prefix}/users/:userId`]: async () => ({ body: { role: 'Viewer' } }),
  };
}

export async function legacyTry(
  cast: Cast,
  shared: Targets,
  caller: Caller,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<LegacyTry> {
  const own = targetsOf(cast);
  const special = (await SPECIAL[`${method} ${path}`]?.({ cast, caller, own, shared })) ?? {};
  return { path: special.path ?? (await filled(path, method === 'DELETE' ? own : shared)), ...special };
}

async function filled(path: string, targets: Targets): Promise<string> {
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return segment;
    const value = PARAMS[segment];
    if (value === undefined) throw new Error(`legacy-requests.ts has no value for ${segment} of ${path}`);
    return value(path, targets);
  });
  return (await Promise.all(segments)).join('/');
}

function profile(name: string) {
  return { login: name, email: `${name}@example.com`, name };
}

/** A rule in the provisioning API. */
function provisioned(title: string) {
  return { title, condition: 'A', data: [{ refId: 'A', datasourceUid: 'metrics', model: {} }], for: '5m' };
}

async function addRule({ made, fresh }: Cast): Promise<Body> {
  const folder = await nameOf(made('folder.svc.app/v1beta1', 'Folder', fresh('folder'), { title: 'Folder' }));
  const spec = { ...provisioned(fresh('Rule')), ruleGroup: 'group' };
  const annotations = { 'svc.app/folder': folder };
  return made('rules.alerting.svc.app/v1beta1', 'AlertRule', fresh('rule'), spec, { annotations });
}

function folderOf({ metadata }: Body): string {
  return metadata.annotations?.['svc.app/folder'] ?? '';
}

async function session({ accounts: { sessions } }: Cast, user: string) {
  const { session: opened, secret } = await sessions.open(personNamed(user), { clientIp: '127.0.0.1', userAgent: '' });
  return { id: Number(opened.metadata.labels?.['svc.app/deprecatedInternalID']), secret };
}

/** A member of the team, other than the caller. */
async function membership({ cast: { made }, own, shared }: Context): Promise<LegacyTry> {
  const [team, user] = [await shared.team(), await own.user()];
  const [teamName, userName] = [team.metadata.name, user.metadata.name];
  const spec = { teamRef: { name: teamName }, userRef: { name: userName }, permission: 'member' };
  await made(IAM, 'TeamBinding', `${teamName}.${userName}`, spec);
  return { path: `/teams/${internalId(team)}/members/${internalId(user)}` };
}

async function token({ cast: { accounts, fresh }, shared }: Context): Promise<LegacyTry> {
  const account = await shared.account();
  const { name } = account.metadata;
  const { token: issued } = await accounts.tokens.issue(
    { namespace: 'default', account: name, title: fresh('token') },
    { user: SYSTEM_USER },
  );
  const number = issued.metadata.labels?.['svc.app/deprecatedInternalID'];
  return { path: `/serviceaccounts/${internalId(account)}/tokens/${number}` };
}

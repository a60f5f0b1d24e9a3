/** A request to the other server. */
export interface Sent {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** What a documented route takes: the names of its query parameters, and those in its body. */
interface Route {
  readonly query?: readonly string[];
  readonly body?: readonly string[];
}

const UID = '[a-zA-Z0-9_-]{1,40}';
const ID = '[0-9]{1,10}';

const PREFERENCES = [
  'theme',
  'homeDashboardUID',
  'timezone',
  'weekStart',
  'language',
  'regionalFormat',
  'dateStyle',
  'navbar',
  'queryHistory',
  'cookiePreferences',
];

/**
 * The routes of the legacy API that mirrors may use, as its specification and the facts about it describe them: what
 * is not here is not known to be there on another product.
 */
const ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/health': {},
  'GET /api/org': {},
  'GET /api/search': { query: ['type', 'limit', 'page'] },
  'GET /api/folders/:uid': {},
  'POST /api/folders': { body: ['uid', 'title', 'parentUid'] },
  'PUT /api/folders/:uid': { body: ['title', 'version', 'overwrite'] },
  'DELETE /api/folders/:uid': { query: ['forceDeleteRules'] },
  'POST /api/folders/:uid/move': { body: ['parentUid'] },
  'GET /api/folders/:uid/counts': {},
  'GET /api/folders/:uid/permissions': {},
  'POST /api/folders/:uid/permissions': { body: ['items'] },
  'GET /api/dashboards/uid/:uid': {},
  'DELETE /api/dashboards/uid/:uid': {},
  'POST /api/dashboards/db': { body: ['dashboard', 'folderUid', 'message', 'overwrite'] },
  'GET /api/dashboards/uid/:uid/permissions': {},
  'POST /api/dashboards/uid/:uid/permissions': { body: ['items'] },
  'GET /api/library-elements': { query: ['perPage', 'page'] },
  'GET /api/library-elements/:uid': {},
  'POST /api/library-elements': { body: ['uid', 'folderUid', 'name', 'model', 'kind'] },
  'PATCH /api/library-elements/:uid': { body: ['folderUid', 'name', 'model', 'kind', 'version'] },
  'DELETE /api/library-elements/:uid': {},
  'GET /api/teams/search': { query: ['perpage', 'page', 'query', 'name'] },
  'GET /api/org/users': {},
  'GET /api/teams/:id': {},
  'POST /api/teams': { body: ['name', 'email'] },
  'PUT /api/teams/:id': { body: ['name', 'email'] },
  'DELETE /api/teams/:id': {},
  'GET /api/teams/:id/members': {},
  'POST /api/teams/:id/members': { body: ['userId'] },
  'PUT /api/teams/:id/members/:id': { body: ['permission'] },
  'DELETE /api/teams/:id/members/:id': {},
  'GET /api/teams/:id/groups': {},
  'POST /api/teams/:id/groups': { body: ['groupId'] },
  'DELETE /api/teams/:id/groups': { query: ['groupId'] },
  'GET /api/teams/:id/preferences': {},
  'PUT /api/teams/:id/preferences': { body: PREFERENCES },
  'GET /api/org/preferences': {},
  'PUT /api/org/preferences': { body: PREFERENCES },
};

const PATTERNS = Object.entries(ROUTES).map(([name, route]) => ({
  name,
  route,
  pattern: new RegExp(`^${name.replaceAll(':uid', UID).replaceAll(':id', ID)}$`),
}));

/** The name of the route of a request. Throws what is not documented of it. */
export function documented({ method, path, query, body }: Sent): string {
  const found = PATTERNS.find(({ pattern }) => pattern.test(`${method} ${path}`));
  if (found === undefined) throw new Error(`not documented: ${method} ${path}`);
  const { name, route } = found;
  for (const key of query.keys())
    if (route.query?.includes(key) !== true) throw new Error(`not documented: the parameter ${key} of ${name}`);
  for (const key of Object.keys((body as object | undefined) ?? {}))
    if (route.body?.includes(key) !== true) throw new Error(`not documented: ${key} in the body of ${name}`);
  return name;
}

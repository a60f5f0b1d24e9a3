import type { LegacyClient, Method } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import type { MirrorCheckResult, MirrorReviewSpec, MirrorReviewStatus } from './schema.js';

type Wanted = Pick<MirrorReviewSpec, 'permissions' | 'teams' | 'preferences'>;

interface Right {
  readonly kind: 'reading' | 'writing';
  readonly words: string;
  readonly method: Method;
  readonly path: string;
  /** It names nothing, so that it is refused also if the caller has the right: permissions are decided first. */
  readonly body?: object;
}

const ALWAYS: readonly Right[] = [
  { kind: 'writing', words: 'create folders', method: 'POST', path: '/api/folders', body: { title: '' } },
  {
    kind: 'writing',
    words: 'save dashboards',
    method: 'POST',
    path: '/api/dashboards/db',
    body: { dashboard: { title: '' }, overwrite: false },
  },
];
const PEOPLE: Right = { kind: 'reading', words: 'list the people', method: 'GET', path: '/api/org/users' };
const TEAMS: Right = { kind: 'reading', words: 'list the teams', method: 'GET', path: '/api/teams/search?perpage=1' };
const NEW_TEAM: Right = {
  kind: 'writing',
  words: 'create teams',
  method: 'POST',
  path: '/api/teams',
  body: { name: '' },
};
const PREFERENCES: Right = {
  kind: 'reading',
  words: 'read the preferences of the organization',
  method: 'GET',
  path: '/api/org/preferences',
};

interface Rights {
  readonly checks: readonly MirrorCheckResult[];
  readonly found: Pick<MirrorReviewStatus, 'writable'>;
}

/** Whether a credential may do what a mirror needs. */
export async function rightsOf(client: LegacyClient, { permissions, teams, preferences }: Wanted): Promise<Rights> {
  const rights = [
    ...ALWAYS,
    ...(permissions || teams ? [PEOPLE, TEAMS] : []),
    ...(teams ? [NEW_TEAM] : []),
    ...(preferences ? [PREFERENCES] : []),
  ];
  const tried = await Promise.all(rights.map(async (right) => ({ right, problem: await problemOf(client, right) })));
  const checkOf = (kind: Right['kind'], fine: string): readonly MirrorCheckResult[] => {
    const own = tried.filter(({ right }) => right.kind === kind);
    if (own.length === 0) return [];
    const refused = own.filter(({ problem }) => problem === 'refused').map(({ right }) => right.words);
    const unknown = own.filter(({ problem }) => problem === 'unknown').map(({ right }) => right.words);
    const sentences = [
      ...(refused.length === 0 ? [] : [`It may not ${listOf(refused)}. Give its service account the role Admin.`]),
      ...(unknown.length === 0 ? [] : [`Whether it may ${listOf(unknown)} cannot be told: the server has failed.`]),
    ];
    return [{ name: kind, ok: sentences.length === 0, message: sentences.join(' ') || fine }];
  };
  return {
    checks: [
      ...checkOf('reading', 'It may read what a mirror compares.'),
      ...checkOf('writing', 'It may write what the mirror sends.'),
    ],
    found: { writable: ALWAYS.every((right) => tried.some((one) => one.right === right && one.problem === undefined)) },
  };
}

async function problemOf(
  client: LegacyClient,
  { method, path, body }: Right,
): Promise<'refused' | 'unknown' | undefined> {
  try {
    await client.send(method, path, { ...(body && { body }), isIdempotent: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof LegacyFailure)) return 'unknown';
    if (error.status === 401 || error.status === 403) return 'refused';
    // A list that is longer than an answer may be, and a body that names nothing, are no lack of rights.
    const isFine = error.status < 500 && error.status !== 429 && error.status !== 404;
    return isFine ? undefined : 'unknown';
  }
}

const listOf = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');

import type { Caller } from '../../apis/testing/callers.js';
import type { Made } from '../../apis/testing/cast.js';
import {
  idOf,
  type LegacyCast,
  type LegacyExamples,
  type LegacyParam,
  type LegacyTry,
  type Targets,
} from '../../apis/testing/legacy-examples.js';
import { EXAMPLES } from '../harness/kind-examples.js';
import { serverRoutes } from './server-routes.js';
import { type Row, rowsOf } from './table.js';

/**
 * The permissions of the legacy API. `root` administers the server. `botV` and `botA` are service accounts with the
 * roles Viewer and Admin. `member` and `lead` are viewers of the organization. In the team of the request, they are a
 * member and an Admin. `outsider` administers another organization, and sends requests to this one. `editor`
 * administers a folder of their own. The user of a request is never the caller, except below `/user`.
 */
const ALL: readonly LegacyExamples[] = [...[...EXAMPLES.values()].flatMap(({ legacy }) => legacy ?? []), serverRoutes];

export const ROWS: readonly Row[] = ALL.flatMap(({ rows }) => rowsOf(rows));

/** By row: what its router says of its requests. */
const BY_ROW = new Map(ALL.flatMap((one) => rowsOf(one.rows).map(({ what }) => [what, one] as const)));
const OBJECTS: NonNullable<LegacyExamples['objects']> = Object.assign({}, ...ALL.map(({ objects }) => objects));

/** The values of the parameters in the paths of several routers. */
const PARAMS: Readonly<Record<string, LegacyParam>> = {
  ':teamId': (targets) => idOf(targets('team')),
  ':userId': (targets) => idOf(targets('user')),
  ':orgId': async () => 1,
  ':role': async () => 'Viewer',
  ':version': async () => 1,
};

export function targetsOf(cast: LegacyCast): Targets {
  const made = new Map<string, Promise<Made>>();
  return (name) => {
    const make = OBJECTS[name];
    if (make === undefined) throw new Error(`no legacy/examples.ts makes an object ${name}`);
    const found = made.get(name) ?? make(cast);
    made.set(name, found);
    return found;
  };
}

export async function legacyTry(
  cast: LegacyCast,
  shared: Targets,
  caller: Caller,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<LegacyTry> {
  const own = targetsOf(cast);
  const { requests = {}, params = {} } = BY_ROW.get(`${method} ${path}`) ?? {};
  const special = (await requests[`${method} ${path}`]?.({ cast, caller, own, shared })) ?? {};
  const targets = method === 'DELETE' ? own : shared;
  return { path: special.path ?? (await filled(path, targets, { ...PARAMS, ...params })), ...special };
}

async function filled(path: string, targets: Targets, params: Readonly<Record<string, LegacyParam>>): Promise<string> {
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return segment;
    const value = params[segment];
    if (value === undefined) throw new Error(`the legacy/examples.ts of ${path} has no value for ${segment}`);
    return value(targets);
  });
  return (await Promise.all(segments)).join('/');
}

import type { Sessions } from '../authentication/sessions.js';
import type { ServiceAccountTokens } from '../authentication/tokens.js';
import type { Caller } from './callers.js';
import type { Answered, Cast, Made, Request } from './cast.js';

/** Who may use each route of a legacy router, and with which requests the tests try it. */
export interface LegacyExamples {
  /**
   * A row is a method and a path below `/api`, with the outcome for each caller. The outcome `none` is a success
   * without the object that the request asks for.
   */
  readonly rows: string;
  /** Makes the objects that requests need, by name. Names are known to the examples of all routers. */
  readonly objects?: Readonly<Record<string, (cast: LegacyCast) => Promise<Made>>>;
  /**
   * The values of the parameters of paths, such as `:uid`. Those that all routers share are in
   * `test/permissions/legacy-requests.ts`.
   */
  readonly params?: Readonly<Record<string, LegacyParam>>;
  /** The requests that need more than the parameters of the path, by row. */
  readonly requests?: Readonly<Record<string, LegacyExample>>;
}

export type LegacyParam = (targets: Targets) => Promise<string | number>;
export type LegacyExample = (context: LegacyContext) => Promise<Partial<LegacyTry>>;

/** An object by its name in `objects`. It is created when it is first used. */
export type Targets = (name: string) => Promise<Made>;

export interface LegacyContext {
  readonly cast: LegacyCast;
  readonly caller: Caller;
  /** Objects of this request only. */
  readonly own: Targets;
  /** Objects of all requests, for requests that change nothing or always make the same change. */
  readonly shared: Targets;
}

/** The request to a route. */
export interface LegacyTry {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a list shows to those who may see the object. */
  readonly shows?: string;
}

export interface LegacyCast extends Cast {
  /** Sends requests with all rights. */
  readonly server: { call(method: string, path: string, options?: Request): Promise<Answered> };
  readonly accounts: { readonly sessions: Sessions; readonly tokens: ServiceAccountTokens };
}

export function internalId({ metadata }: Made): number {
  return Number(metadata.labels?.['svc.app/deprecatedInternalID']);
}

export const idOf = async (target: Promise<Made>): Promise<number> => internalId(await target);

/** The first permissions of a folder or dashboard at the root. */
export const USUAL_PERMISSIONS = [
  { role: 'Editor', permission: 2 },
  { role: 'Viewer', permission: 1 },
];

/** The requests that set permissions below this path, one for each form of them. */
export function accessRequests(path: string, permission: string): Readonly<Record<string, LegacyExample>> {
  return {
    [`POST ${path}`]: async () => ({ body: { permissions: [{ builtInRole: 'Viewer', permission }] } }),
    [`POST ${path}/users/:userId`]: async () => ({ body: { permission } }),
    [`POST ${path}/teams/:teamId`]: async () => ({ body: { permission } }),
    [`POST ${path}/builtInRoles/:role`]: async () => ({ body: { permission } }),
  };
}

import type { ApiResponse } from '../../pkg/http/exchange.js';
import type { LegacyCall } from './call.js';
import type { ErrorRule } from './errors.js';
import type { Pattern } from './matcher.js';

/** Translates a request, calls the Store, translates what comes back. Keeps nothing and decides nothing. */
export type LegacyHandler = (call: LegacyCall) => Promise<ApiResponse> | ApiResponse;

export interface RouteOptions {
  /** How the registry's failures are told here, the first that fits. */
  readonly errors?: readonly ErrorRule[];
  /** Service accounts get 403, with these words if some are given. */
  readonly peopleOnly?: boolean | string;
  /** Any other failure of the server: 500 with these words. */
  readonly fallback?: string;
}

/** One endpoint below `/api`. */
export interface LegacyRoute extends Pattern, RouteOptions {
  readonly handle: LegacyHandler;
}

/**
 * The routes of an adapter. How one is written (`apis/<kind>/legacy.ts`):
 *
 * 1. A function of the environment returns `routes({ errors }, { 'GET /folders/:uid': get, … })`; it is listed in `apis/legacy.ts`.
 * 2. A handler is a function of a `LegacyCall`. It reads by `call.param`, `call.id`, `call.query` and `call.body(zodSchema)`, in this order,
 *    as callers expect 403 before 400 before 404.
 * 3. It works with `call.objects('Folder')`: `get` and `list` show only what the caller may view, `byId` finds by the integer id,
 *    `create`, `update` and `delete` are the Store's. `peek` and `scan` look at no permission: for look-ups whose object is not shown.
 *    `require('teams:write')` refuses who has the action nowhere before anything is looked up.
 *    Several writes that belong together are parts of one commit: `call.transact([objects.plan.create(…), …])`.
 * 4. It answers by `ok(value)` or `done('Team created', { teamId })`.
 * 5. What the registry refuses is told by the table `errors`: a rule names code, reason, or field, reason and words of a cause, and the status
 *    and body to answer with. What only exists here, such as a version in a legacy body, is thrown: `throw plainFailure(400, '…')`.
 */
export function routes(
  options: RouteOptions,
  table: Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, LegacyHandler>>,
): readonly LegacyRoute[] {
  return Object.entries(table).map(([key, handle]) => {
    const space = key.indexOf(' ');
    return { ...options, method: key.slice(0, space), path: key.slice(space + 1), handle };
  });
}

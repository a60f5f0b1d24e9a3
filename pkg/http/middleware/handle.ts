import { ApiError } from '../../kube/status/status.js';
import { discard } from '../body-writer.js';
import type { Done } from '../done.js';
import type { ApiResponse, Handler } from '../handler.js';
import type { Middleware, RequestState } from '../request.js';

export function handle(handler: Handler): Middleware {
  return ({ state }) => answer(state, handler);
}

export function answer(state: RequestState, handler: Handler): Done {
  const response = state.identifyAgain === undefined ? handler(state) : identified(state, handler);
  if (response instanceof Promise) return response.then((late) => take(state, late));
  return take(state, response);
}

/** The client does not wait any more for a response that comes too late. */
function take(state: RequestState, response: ApiResponse): undefined {
  if (state.isGivenUp || state.isClosed) discard(response.body);
  else state.response = response;
}

/**
 * If the caller is refused, something has changed since the caller was found. This may be the groups and not the
 * credential. So the caller is looked up again, and only then refused. Nothing was written, because a commit that
 * refuses the caller writes nothing.
 */
async function identified(state: RequestState, handler: Handler): Promise<ApiResponse> {
  try {
    return await handler(state);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 401 || state.identifyAgain === undefined) throw error;
    await state.identifyAgain();
    return handler(state);
  }
}

import { ApiError } from '../../status/status.js';
import { discard } from '../body-writer.js';
import type { ApiResponse, Handler } from '../handler.js';
import type { Middleware, RequestState } from '../request.js';

/** Lets a handler answer. */
export function handle(handler: Handler): Middleware {
  return ({ state }) => answer(state, handler);
}

/** Nobody waits any more for a response that comes too late. */
export async function answer(state: RequestState, handler: Handler): Promise<void> {
  const response = await (state.identifyAgain === undefined ? handler(state) : identified(state, handler));
  if (state.isGivenUp || state.isClosed) discard(response.body);
  else state.response = response;
}

/**
 * A refusal of the caller tells that something has changed since the caller was found. It may be other than the credential, such as new groups,
 * so the caller is found again, and only then refused. Nothing was written, because a commit that refuses the caller writes nothing.
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

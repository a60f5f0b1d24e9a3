import { discard } from '../body-writer.js';
import type { ApiResponse, Handler } from '../handler.js';
import type { Middleware, RequestState } from '../request.js';

/** Lets a handler answer. */
export function handle(handler: Handler): Middleware {
  return ({ state }) => answer(state, handler(state));
}

/** Nobody waits any more for a response that comes too late. */
export async function answer(state: RequestState, pending: Promise<ApiResponse>): Promise<void> {
  const response = await pending;
  if (state.isGivenUp || state.isClosed) discard(response.body);
  else state.response = response;
}

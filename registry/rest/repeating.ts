import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { serviceUnavailable } from '../../pkg/status/errors.js';
import { resumed, Suspended } from '../client/suspended.js';
import { KindChanged } from '../write/write.js';

/** How often a write is tried whose kind changes before its commit. */
const ATTEMPTS = 5;
const TOO_OFTEN = 'what the request needs changes faster than it can be made; nothing was changed; please try again';

/** Answers a request again, from the beginning, if the definition of its kind has changed before its commit, or if something was not there yet. */
export function repeating(handle: Handler): Handler {
  const again = async (request: ApiRequest, error: unknown, attempt = 1): Promise<ApiResponse> => {
    const isChanged = error instanceof KindChanged;
    if (!(isChanged || error instanceof Suspended)) throw error;
    if (attempt === ATTEMPTS) throw isChanged ? error : serviceUnavailable(TOO_OFTEN, error, 1);
    try {
      return await (isChanged ? handle(request) : resumed(error, () => handle(request)));
    } catch (other) {
      return again(request, other, attempt + 1);
    }
  };
  return (request) => {
    try {
      const response = handle(request);
      return response instanceof Promise ? response.catch((error: unknown) => again(request, error)) : response;
    } catch (error) {
      if (error instanceof Suspended) return again(request, error);
      throw error;
    }
  };
}
